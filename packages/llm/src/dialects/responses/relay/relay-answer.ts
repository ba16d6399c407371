import { findJson, replaceJson } from '../../../json/index.js';
import type { ToolNames } from '../../../names/tool-names.js';
import type { RelayedText } from '../../dialect.js';
import { LlmError } from '../../../errors/llm-error.js';
import { decodeError } from '../../chat/errors/decode-error.js';
import { asObject, parseJson } from '../../../json/read-json.js';
import { decodeUsage } from '../answer/usage.js';

/** Where the names of called tools stand in an answer, or in one event of it. */
const PLACES = [['name'], ['item', 'name'], ['output', '*', 'name'], ['response', 'output', '*', 'name']];

/** Gives called tools the caller's names again (F9); every other byte stays. `json` is a response object or one event. */
export function restoreNames(json: string, names: ToolNames): string {
  const edits = PLACES.flatMap((pattern) =>
    [...findJson(json, pattern)].flatMap(({ start, end }) => {
      const name: unknown = JSON.parse(json.slice(start, end));
      const restored = typeof name === 'string' ? names.fromWire(name) : name;
      return restored === name ? [] : [{ start, end, text: JSON.stringify(restored) }];
    }),
  );
  return edits.length === 0 ? json : replaceJson(json, edits);
}

/** A response object of an upstream as the caller gets it. Throws `LlmError` for one that failed, and for what is none. */
export function relayAnswer(text: string, names?: ToolNames): RelayedText {
  const { output, error, usage: counted, status } = asObject(parseJson(text));
  if (error !== undefined && error !== null) throw decodeError({ body: { error } });
  if (!Array.isArray(output) && typeof status !== 'string') {
    throw new LlmError('unavailable', 'The model provider answered something that is no response object.');
  }
  const usage = decodeUsage(counted);
  return { text: names ? restoreNames(text, names) : text, usage };
}
