import { type FileLine, splitFile, usualEnd } from './file-lines.js';
import { linesOf, locate, type Place } from './locate.js';
import { findTolerant } from './tolerant.js';

/** A text that gives way to another one. */
export interface TextEdit {
  readonly old_string: string;
  readonly new_string: string;
  /** Wherever it stands, not in one place only. */
  readonly replace_all?: boolean | undefined;
}

/** Why a text can't be replaced; lines are counted from 1. */
export type EditFault =
  | { readonly kind: 'same' }
  | { readonly kind: 'empty' }
  /** `content`: what it was searched in. */
  | { readonly kind: 'missing'; readonly content: string; readonly needle: string }
  | { readonly kind: 'many'; readonly lines: readonly number[] };

export type Replaced =
  | {
      readonly ok: true;
      readonly content: string;
      readonly count: number;
      /** Where the first of the new texts stands in the new content, in code units. */
      readonly first: Place;
      /** Lines of the content before, first and last, that were taken for equal apart from indentation (rule 10). */
      readonly tolerated?: readonly [number, number] | undefined;
    }
  | { readonly ok: false; readonly fault: EditFault };

export interface ReplaceOptions {
  /** Whole lines may differ in indentation; never with `replace_all`. */
  readonly tolerant?: boolean;
}

/**
 * Replaces a text of a file that stands in exactly one place, or all of them from left to right. The new text is put in as it is, but for its
 * line ends: they become those of the lines that it replaces, or of most lines, unless it has `\r` itself.
 */
export function replaceText(content: string, edit: TextEdit, { tolerant = false }: ReplaceOptions = {}): Replaced {
  const { old_string: needle, new_string: text, replace_all: all = false } = edit;
  if (needle === text) return { ok: false, fault: { kind: 'same' } };
  if (needle === '') return { ok: false, fault: { kind: 'empty' } };
  const places = locate(content, needle);
  if (places.length === 0) {
    const fit = tolerant && !all ? replaceTolerantly(content, needle, text) : undefined;
    return fit ?? { ok: false, fault: { kind: 'missing', content, needle } };
  }
  if (!all && places.length > 1) return { ok: false, fault: { kind: 'many', lines: linesOf(content, places) } };
  return splice(content, withoutOverlaps(places), text);
}

/** Puts a text before the first line, behind the byte order mark. */
export function insertAtStart(content: string, text: string): Replaced {
  const start = content.startsWith('\uFEFF') ? 1 : 0;
  return splice(content, [{ start, end: start }], text);
}

const withoutOverlaps = (places: readonly Place[]): Place[] => {
  const kept: Place[] = [];
  for (const place of places) if (place.start >= (kept.at(-1)?.end ?? 0)) kept.push(place);
  return kept;
};

function splice(content: string, places: readonly Place[], text: string): Replaced & { readonly ok: true } {
  const needsEnds = text.includes('\n') && !text.includes('\r');
  const usual = needsEnds ? usualEnd(splitFile(content).lines) : undefined;
  const pieces: string[] = [];
  let read = 0;
  let length: number | undefined;
  for (const { start, end } of places) {
    const lineEnd = needsEnds ? (usualEnd(splitFile(content.slice(start, end)).lines) ?? usual) : undefined;
    const put = lineEnd === '\r\n' ? text.replaceAll('\n', '\r\n') : text;
    pieces.push(content.slice(read, start), put);
    read = end;
    length ??= put.length;
  }
  const [{ start }] = places as readonly [Place];
  return { ok: true, content: pieces.join('') + content.slice(read), count: places.length, first: { start, end: start + length! } };
}

function replaceTolerantly(content: string, needle: string, text: string): (Replaced & { readonly ok: true }) | undefined {
  const { bom, lines } = splitFile(content);
  const isClosed = needle.endsWith('\n');
  const search = linesIn(isClosed ? needle.slice(0, -1) : needle);
  const fit = findTolerant(
    lines.map((line) => line.text),
    search,
    linesIn(text),
  );
  if (fit === undefined) return undefined;
  const last = fit.at + search.length - 1;
  if (isClosed && lines[last]!.end === '') return undefined;
  const lengthOf = (some: readonly FileLine[]): number => some.reduce((sum, line) => sum + line.text.length + line.end.length, 0);
  const start = bom.length + lengthOf(lines.slice(0, fit.at));
  const end = start + lengthOf(lines.slice(fit.at, last + 1)) - (isClosed ? 0 : lines[last]!.end.length);
  return { ...splice(content, [{ start, end }], fit.replace.join('\n')), tolerated: [fit.at + 1, last + 1] };
}

const linesIn = (text: string): string[] => text.split('\n').map((line) => line.replace(/\r$/, ''));
