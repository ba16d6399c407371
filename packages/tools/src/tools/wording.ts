import type { JsonObject } from '../arguments/json.js';
import { sumUpPatch } from '../patch/sum-up-patch.js';

/** A field that is a string; '' for all else. */
export const textOf = (fields: JsonObject, name: string): string => (typeof fields[name] === 'string' ? fields[name] : '');

/** An argument as a model gave it: a string as it is, anything else as JSON, '' where it is missing. */
export const shown = (args: JsonObject, name: string): string => {
  const value = args[name];
  return typeof value === 'string' ? value : value === undefined ? '' : JSON.stringify(value);
};

/** A field that is a list. */
export const listOf = (fields: JsonObject, name: string): readonly unknown[] | undefined =>
  Array.isArray(fields[name]) ? (fields[name] as readonly unknown[]) : undefined;

/** `1 file`, `2 files`. */
export const plural = (count: number, noun: string): string => `${String(count)} ${noun}${count === 1 ? '' : 's'}`;

/** What there is to say, with commas between; `undefined` for nothing. */
export const joined = (...parts: readonly (string | undefined)[]): string | undefined => parts.filter(Boolean).join(', ') || undefined;

/** `1000+ entries`: how many a list of the result has, and whether there are more. */
export function count(fields: JsonObject, name: string, noun: string, nouns = `${noun}s`): string | undefined {
  const length = listOf(fields, name)?.length;
  if (length === undefined) return undefined;
  const more = fields['truncated'] === true ? '+' : '';
  return `${String(length)}${more} ${length === 1 && more === '' ? noun : nouns}`;
}

/** How a command ended: `exit 1`, `timed out`, `SIGKILL`. */
export function endingOf(fields: JsonObject): string | undefined {
  if (fields['timed_out'] === true) return 'timed out';
  if (typeof fields['exit_code'] === 'number') return `exit ${String(fields['exit_code'])}`;
  return textOf(fields, 'signal') || undefined;
}

/** Lines of a text, whether or not the last one is ended. */
export const countLines = (content: string): number => (content === '' ? 0 : content.split('\n').length - (content.endsWith('\n') ? 1 : 0));

/** `2 files, +3 −1`: what a diff amounts to. */
export function changesOf(diff: string): string | undefined {
  const sum = sumUpPatch(diff);
  return sum && `${plural(sum.files.length, 'file')}, +${String(sum.added)} −${String(sum.removed)}`;
}

/** `a.ts, b.ts and 1 more file (+3 −1)`: the files of a diff. */
export function filesOf(diff: string): string {
  const sum = sumUpPatch(diff);
  if (sum === undefined || sum.files.length === 0) return 'a diff';
  const more = sum.files.length > 2 ? ` and ${plural(sum.files.length - 2, 'more file')}` : '';
  return `${sum.files.slice(0, 2).join(', ')}${more} (+${String(sum.added)} −${String(sum.removed)})`;
}
