import { findJson, replaceJson } from '../../../json/index.js';
import type { ToolNames } from '../../../names/tool-names.js';

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
