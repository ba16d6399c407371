import { readFileSync } from 'node:fs';

/** One frame of the corpus: its text, or how to make it, and the verdict for a bad one. */
export interface CorpusFrame {
  readonly name: string;
  readonly text: string;
  readonly code?: string;
  readonly reply_to?: string;
  /** `type` of the frame refused, where the error names it. */
  readonly reply_to_type?: string;
}

type Entry = Omit<CorpusFrame, 'text'> & { readonly text?: string; readonly repeat?: readonly (readonly [unit: string, times: number])[] };

const read = (file: string): CorpusFrame[] =>
  (JSON.parse(readFileSync(new URL(`./corpus/${file}`, import.meta.url), 'utf8')) as Entry[]).map(({ repeat = [], text, ...entry }) => ({
    ...entry,
    text: text ?? repeat.map(([unit, times]) => unit.repeat(times)).join(''),
  }));

/** Frames that decode. */
export const goodFrames = (): CorpusFrame[] => read('good.json');
/** Frames that are refused, with the code. */
export const badFrames = (): CorpusFrame[] => read('bad.json');
