import type { ToolNames } from '../../../names/tool-names.js';
import { asList, asObject, asText, parseJson, type Fields } from '../../../json/read-json.js';

export interface JudgeOptions {
  readonly names?: ToolNames;
  readonly onlyFirstCall?: boolean;
}

/**
 * Says whether a chunk of a stream can go to a client as it is. It can't where some client would break on it: no role at the beginning, a
 * call without id, type, name or with an index that isn't the next one, two calls by turns, a call that begins before the last one is whole, text and call in one chunk, a call without any
 * arguments, a tool name that was mapped, a blank finish reason (docs/specification/llm-proxy.md#what-clients-reject).
 */
export class ChunkJudge {
  private readonly options: JudgeOptions;
  private readonly ids = new Set<string>();
  private hasRoleNow = false;
  /** The arguments of the last call, as far as they came. */
  private arguments: string[] = [];

  constructor(options: JudgeOptions) {
    this.options = options;
  }

  /** Whether the client knows the role: it need not come again. */
  get hasRole(): boolean {
    return this.hasRoleNow;
  }

  /** Takes the first choice of a chunk. After a `false` nothing more may be asked. */
  isRegular(choice: Fields): boolean {
    if (choice.message !== undefined) return false;
    const { role, content, tool_calls } = asObject(choice.delta);
    this.hasRoleNow ||= asText(role) !== undefined;
    const calls = asList(tool_calls);
    if (!this.hasRoleNow || !isTextOrNothing(content)) return false;
    if (calls.length > 0 && asText(content) !== undefined) return false;
    return calls.every((call) => this.isRegularCall(asObject(call))) && this.mayFinish(choice.finish_reason);
  }

  private isRegularCall({ index, id, type, function: called }: Fields): boolean {
    const { name, arguments: text } = asObject(called);
    if (!isTextOrNothing(text)) return false;
    const count = this.ids.size;
    if (index === count - 1) {
      if (asText(id) !== undefined || asText(name) !== undefined) return false;
    } else {
      const first = { id: asText(id), name: asText(name) };
      if (index !== count || first.id === undefined || first.name === undefined || type !== 'function') return false;
      if (this.ids.has(first.id) || !this.mayBegin(first.name)) return false;
      this.ids.add(first.id);
      this.arguments = [];
    }
    if (typeof text === 'string' && text !== '') this.arguments.push(text);
    return true;
  }

  /** The call before must be whole, or it could go on behind this one. */
  private mayBegin(name: string): boolean {
    const { names, onlyFirstCall } = this.options;
    if ((names?.fromWire(name) ?? name) !== name) return false;
    return this.ids.size === 0 || (onlyFirstCall !== true && isWhole(this.arguments.join('')));
  }

  private mayFinish(word: unknown): boolean {
    if (word === undefined || word === null) return true;
    if (asText(word) === undefined) return false;
    return this.ids.size === 0 || word === 'length' || this.arguments.some((piece) => piece.trim() !== '');
  }
}

function isTextOrNothing(value: unknown): boolean {
  return value === undefined || value === null || typeof value === 'string';
}

const isWhole = (json: string): boolean => typeof (parseJson(json) ?? undefined) === 'object';
