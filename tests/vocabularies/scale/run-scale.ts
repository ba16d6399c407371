import { applyBlocks, applyLazyEdit, loadGrammarFor, parseBlocks, PatchRefused, planPatchedTexts, readPatch } from '@codelab/vocabularies';
import { type Change, makeChange } from './changes.js';
import { disturb } from './disturb.js';
import { writeLazily } from './lazy-styles.js';
import { writeBlock, writeDiff, writeEnvelope } from './patch-styles.js';
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
  /** Changes made in each file. */
  readonly changes: number;
  readonly seed: number;
}

/** Makes changes in real sources, writes each in every format with the faults of models, applies it, and compares. */
export async function runScale({ files, changes, seed }: ScaleOptions): Promise<Trial[]> {
  const sources = readSources(files);
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
      const [before, after] = [toText(file, text), wanted === undefined ? undefined : toText(wanted, text)];
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
        verdict,
        file: before,
        edit: written.text,
        wanted: after ?? '',
        got: said,
      });
    }
  }
  return trials;
}

const toText = (lines: readonly string[], like: string): string => {
  const end = like.includes('\r\n') ? '\r\n' : '\n';
  return lines.join(end) + (like.endsWith('\n') ? end : '');
};

const write = (format: Format, change: Change, { language, path }: SourceFile, random: Random) => {
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
const judge = (got: Got, wanted: string | undefined, kind: Change['kind']): Verdict => {
  if (!got.ok) return got.why === '' ? 'no hint' : 'refused';
  const isLoose = kind === 'define' || kind === 'insert' || kind === 'delete';
  const isRight = got.text === wanted || (isLoose && wanted !== undefined && withoutBlanks(got.text) === withoutBlanks(wanted));
  return isRight ? 'right' : 'misplaced';
};

const withoutBlanks = (text: string): string =>
  text
    .split('\n')
    .filter((line) => line.trim() !== '')
    .join('\n');
