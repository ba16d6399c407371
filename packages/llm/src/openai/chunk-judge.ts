import type { ToolNames } from '../tool-names.js';
import { asList, asObject, asText } from './wire.js';

export interface JudgeOptions {
  readonly names?: ToolNames;
  readonly onlyFirstCall?: boolean;
}

/**
 * Says whether a chunk of a stream can go to a client as it is. It can't where some client would break on it: no role at the beginning, a
 * call without id, type, name or with an index that isn't the next one, two calls by turns, text and call in one chunk, a call without any
 * arguments, a tool name that was mapped, a blank finish reason (guide: llm-translation, "What clients reject").
 */
export class ChunkJudge {
  readonly #options: JudgeOptions;
  readonly #ids = new Set<string>();
  #hasRole = false;
  #hasArguments = true;

  constructor(options: JudgeOptions) {
    this.#options = options;
  }

  /** Whether the client knows the role: it need not come again. */
  get hasRole(): boolean {
    return this.#hasRole;
  }

  /** Takes the first choice of a chunk. After a `false` nothing more may be asked. */
  isRegular(choice: Readonly<Record<string, unknown>>): boolean {
    if (choice.message !== undefined) return false;
    const { role, content, tool_calls } = asObject(choice.delta);
    this.#hasRole ||= asText(role) !== undefined;
    const calls = asList(tool_calls);
    if (!this.#hasRole || !isTextOrNothing(content)) return false;
    if (calls.length > 0 && asText(content) !== undefined) return false;
    return calls.every((call) => this.#isRegularCall(asObject(call))) && this.#mayFinish(choice.finish_reason);
  }

  #isRegularCall({ index, id, type, function: called }: Readonly<Record<string, unknown>>): boolean {
    const { name, arguments: text } = asObject(called);
    if (!isTextOrNothing(text)) return false;
    const count = this.#ids.size;
    if (index === count - 1) {
      if (asText(id) !== undefined || asText(name) !== undefined) return false;
    } else {
      const first = { id: asText(id), name: asText(name) };
      if (index !== count || first.id === undefined || first.name === undefined || type !== 'function') return false;
      if (this.#ids.has(first.id) || !this.#hasArguments || !this.#mayBegin(first.name)) return false;
      this.#ids.add(first.id);
      this.#hasArguments = false;
    }
    this.#hasArguments ||= typeof text === 'string' && text.trim() !== '';
    return true;
  }

  #mayBegin(name: string): boolean {
    const { names, onlyFirstCall } = this.#options;
    return (names?.fromWire(name) ?? name) === name && !(onlyFirstCall === true && this.#ids.size > 0);
  }

  #mayFinish(word: unknown): boolean {
    if (word === undefined || word === null) return true;
    return asText(word) !== undefined && (this.#hasArguments || word === 'length');
  }
}

function isTextOrNothing(value: unknown): boolean {
  return value === undefined || value === null || typeof value === 'string';
}
