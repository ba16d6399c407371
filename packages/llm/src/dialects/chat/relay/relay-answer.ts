import type { RelayedText, WatchOptions } from '../../dialect.js';
import { childrenOf, findJson, replaceJson } from '../../../json/index.js';
import { LlmError } from '../../../errors/llm-error.js';
import type { ToolNames } from '../../../names/tool-names.js';
import { decodeError } from '../errors/decode-error.js';
import { decodeUsage } from '../answer/usage.js';
import { asObject, parseJson } from '../../../json/read-json.js';

const NAMES = ['choices', '*', 'message', 'tool_calls', '*', 'function', 'name'];
const CALLS = ['choices', '*', 'message', 'tool_calls'];

/**
 * A JSON answer as its caller gets it: byte for byte, but for tool names that were mapped. Throws `LlmError`: `unavailable` for what is no
 * chat completion, else what the error in it means.
 *
 * @param options.onlyFirstCall see `PreparedRelay`
 */
export function relayAnswer(text: string, names?: ToolNames, options: Pick<WatchOptions, 'onlyFirstCall'> = {}): RelayedText {
  const value = parseJson(text);
  if (value === undefined) throw noAnswer('something that is not JSON');
  const answer = asObject(value);
  if (answer.error !== undefined && answer.error !== null) throw decodeError({ body: answer });
  if (!Array.isArray(answer.choices) || answer.choices.length === 0) throw noAnswer('something that is no chat completion');
  const usage = decodeUsage(answer.usage);
  const named = names ? restoreNames(text, names) : text;
  return { text: options.onlyFirstCall ? cutCalls(named) : named, usage };
}

function restoreNames(text: string, names: ToolNames): string {
  const edits = [...findJson(text, NAMES)].flatMap(({ start, end }) => {
    const name: unknown = JSON.parse(text.slice(start, end));
    return typeof name === 'string' ? [{ start, end, text: JSON.stringify(names.fromWire(name)) }] : [];
  });
  return replaceJson(text, edits);
}

function cutCalls(text: string): string {
  const edits = [...findJson(text, CALLS)].flatMap(({ start, end }) => {
    const calls = [...childrenOf(text, start)];
    const first = calls[0];
    return first && calls.length > 1 ? [{ start, end, text: `[${text.slice(first.start, first.end)}]` }] : [];
  });
  return replaceJson(text, edits);
}

const noAnswer = (what: string): LlmError => new LlmError('unavailable', `The model provider answered with ${what}.`);
