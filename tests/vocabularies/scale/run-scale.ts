import { applyBlocks, applyLazyEdit, loadGrammarFor, parseBlocks, PatchRefused, planPatchedTexts, readPatch } from '@codelab/vocabularies';
import { type Change, makeChange } from './changes.js';
import { disturb } from './disturb.js';
import { type LazyText, writeLazily } from './lazy-styles.js';
import { type StatedText, writeBlock, writeDiff, writeEnvelope } from './patch-styles.js';
import { Random } from './random.js';
import { readSources, type SourceFile } from './sources.js';

export type Verdict = 'right' | 'refused' | 'misplaced' | 'no hint';
export const FORMATS = ['lazy', 'SEARCH/REPLACE', 'unified diff', '*** Begin Patch'] as const;
export type Format = (typeof FORMATS)[number];

/** One generated edit, and what came of it. */
export interface Trial {
  readonly format: Format;
  readonly language: string;
  readonly path: string;
  readonly style: string;
  readonly how: string;
  readonly change: Change['kind'];
  /** Twins, half blocks and comments like placeholders: to refuse them is no loss. */
  readonly isHard: boolean;
  readonly verdict: Verdict;
  readonly file: string;
  readonly edit: string;
  readonly wanted: string;
  /** The new text, or why not. */
  readonly got: string;
}

export interface ScaleOptions {
  /** Files of each package at most. */
  readonly files: number;
  /** Where the sources are; absent: the packages of this installation. */
  readonly folder?: string | undefined;
  /** Changes made in each file. */
  readonly changes: number;
  readonly seed: number;
}

/** Makes changes in real sources, writes each in every format with the faults of models, applies it, and compares. */
export async function runScale({ files, changes, seed, folder }: ScaleOptions): Promise<Trial[]> {
  const sources = readSources(files, folder);
  for (const { path } of sources) await loadGrammarFor(path);
  return sources.flatMap((source, place) => tryFile(source, changes, new Random(seed * 7_919 + place)));
}

function tryFile(source: SourceFile, changes: number, random: Random): Trial[] {
  const { language, path, text } = source;
  const lines = text.replace(/\n$/, '').split('\n');
  const trials: Trial[] = [];
  for (let made = 0, tries = 0; made < changes && tries < changes * 6; tries++) {
    const change = makeChange(
      lines.map((line) => line.replace(/\r$/, '')),
      language,
      random,
    );
    if (change === undefined) continue;
    made += 1;
    const { how, file, wanted } = disturb(change, random);
    for (const format of FORMATS) {
      const written = write(format, change, source, random);
      if (written === undefined) continue;
      const stated = 'now' in written ? statedIn(file, written) : undefined;
      const [before, after] = [toText(file, text), toText(stated ?? wanted, text)];
      const got = apply(format, path, before, written.text);
      const verdict = judge(got, after, change.kind);
      const said = got.ok ? got.text : got.why;
      trials.push({
        format,
        language,
        path,
        style: written.style,
        how,
        change: change.kind,
        isHard: change.isCut || how.startsWith('twin') || how === 'odd comment',
        verdict,
        file: before,
        edit: written.text,
        wanted: after,
        got: said,
      });
    }
  }
  return trials;
}

/**
 * What an edit says to the letter: where its old lines stand in the file exactly once, nobody could read it otherwise. It differs from what was
 * wanted where a block moved away from between a twin and the lines behind.
 */
function statedIn(file: readonly string[], { old, now }: StatedText): readonly string[] | undefined {
  const places = file.flatMap((line, row) => (line === old[0] && old.every((one, place) => file[row + place] === one) ? [row] : []));
  const [at] = places;
  return at === undefined || places.length > 1 ? undefined : [...file.slice(0, at), ...now, ...file.slice(at + old.length)];
}

const toText = (lines: readonly string[], like: string): string => {
  const end = like.includes('\r\n') ? '\r\n' : '\n';
  return lines.join(end) + (like.endsWith('\n') ? end : '');
};

const write = (format: Format, change: Change, { language, path }: SourceFile, random: Random): LazyText | StatedText | undefined => {
  switch (format) {
    case 'lazy':
      return writeLazily(change, language, random);
    case 'SEARCH/REPLACE':
      return writeBlock(change, random);
    case 'unified diff':
      return writeDiff(change, path, random);
    case '*** Begin Patch':
      return writeEnvelope(change, path, random);
  }
};

type Got = { readonly ok: true; readonly text: string } | { readonly ok: false; readonly why: string };

function apply(format: Format, path: string, text: string, edit: string): Got {
  if (format === 'lazy') {
    const edited = applyLazyEdit({ path, text }, edit);
    return edited.ok ? edited : { ok: false, why: edited.line === '' ? '' : `"${edited.line}": ${edited.why}` };
  }
  if (format === 'SEARCH/REPLACE') {
    const parsed = parseBlocks([edit]);
    if (!parsed.ok) return { ok: false, why: parsed.message };
    const applied = applyBlocks(text, parsed.blocks);
    return applied.ok ? { ok: true, text: applied.content } : { ok: false, why: applied.fault.kind };
  }
  try {
    return { ok: true, text: planPatchedTexts(readPatch(edit), new Map([[path, text]])).get(path) ?? '' };
  } catch (error) {
    if (error instanceof PatchRefused) return { ok: false, why: error.message };
    throw error;
  }
}

/** Blank lines around what is new or gone are a matter of taste; everywhere else each byte counts. */
const judge = (got: Got, wanted: string, kind: Change['kind']): Verdict => {
  if (!got.ok) return got.why === '' ? 'no hint' : 'refused';
  const isLoose = kind === 'define' || kind === 'insert' || kind === 'delete';
  const isRight = got.text === wanted || (isLoose && withoutBlanks(got.text) === withoutBlanks(wanted));
  return isRight ? 'right' : 'misplaced';
};

const withoutBlanks = (text: string): string =>
  text
    .split('\n')
    .filter((line) => line.trim() !== '')
    .join('\n');
