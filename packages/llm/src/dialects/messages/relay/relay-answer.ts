import { findJson, replaceJson } from '../../../json/index.js';
import { asObject } from '../../../json/read-json.js';
import type { ToolNames } from '../../../names/tool-names.js';
import type { RelayedText } from '../../dialect.js';
import { parseMessage } from '../answer/decode-answer.js';
import { decodeError } from '../errors/decode-error.js';
import { decodeUsage } from '../answer/usage.js';

/** Where calls stand in a message, and in the event that begins a block. */
const PLACES = [['content', '*'], ['content_block']];

/** Gives called tools the caller's names again (F9); every other byte stays. */
export function restoreNames(json: string, names: ToolNames): string {
  const edits = PLACES.flatMap((place) => [...findJson(json, place)]).flatMap((block) => {
    const { type, name } = asObject(JSON.parse(json.slice(block.start, block.end)));
    if (type !== 'tool_use' || typeof name !== 'string' || names.fromWire(name) === name) return [];
    const spans = findJson(json.slice(block.start, block.end), ['name']);
    return [...spans].map(({ start, end }) => ({
      start: block.start + start,
      end: block.start + end,
      text: JSON.stringify(names.fromWire(name)),
    }));
  });
  return edits.length === 0 ? json : replaceJson(json, edits);
}

/** A message of an upstream as the caller gets it. Throws `LlmError`: for an error, and `unavailable` for what is no message. */
export function relayAnswer(text: string, names?: ToolNames): RelayedText {
  const message = parseMessage(text);
  if (message.type === 'error') throw decodeError({ body: message });
  const usage = decodeUsage(message.usage);
  return { text: names ? restoreNames(text, names) : text, usage };
}
