import { afterAll, beforeAll, expect, test } from 'vitest';
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  concludeReview,
  filterPatch,
  formatLines,
  formatPatch,
  linesOfPart,
  listChunks,
  parseEditedLines,
  parsePatch,
  type PatchLine,
} from '@codelab/tools/patch';
import { verifies } from '@codelab/testkit';
import fc from 'fast-check';
import { askReview, type ReviewPrompt } from './review-prompt.js';
import { stepReview, takeEditedPart } from './step-review.js';
let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'codelab-review-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const git = (args: readonly string[], input = ''): string => {
  const env = { PATH: process.env.PATH, HOME: folder, GIT_CONFIG_NOSYSTEM: '1', GIT_CEILING_DIRECTORIES: tmpdir() };
  try {
    return execFileSync('git', args, { cwd: folder, input, encoding: 'utf8', env, stdio: ['pipe', 'pipe', 'pipe'] });
  } catch (error) {
    const { status, stdout, stderr } = error as { status: number; stdout: string; stderr: string };
    if (args[0] === 'diff' && status === 1) return stdout;
    throw new Error(`${stderr}\n${input}`, { cause: error });
  }
};

/** Each costs two processes. */
const RUNS = 40;

const word = fc.constantFrom('a', 'b', 'c', '', '+', '-x', '\\', 'x\r', '@@ -1 +1 @@');
const changes = fc.array(fc.record({ at: fc.nat(30), remove: fc.nat(2), insert: fc.array(word, { maxLength: 2 }) }), { maxLength: 5 });
const file = fc.record({ lines: fc.array(word, { maxLength: 30 }), changes, endsOld: fc.boolean(), endsNew: fc.boolean() });
const act = fc.oneof(
  fc.constantFrom('y', 'n', 's', 's', 'a', 'd', 'A', 'j', 'k'),
  fc.record({
    flip: fc.array(fc.nat(20), { maxLength: 3 }),
    insert: fc.array(fc.record({ at: fc.nat(20), text: word }), { maxLength: 2 }),
  }),
);
type Act = typeof act extends fc.Arbitrary<infer T> ? T : never;

const textOf = (lines: readonly string[], ends: boolean): string => lines.join('\n') + (ends && lines.length > 0 ? '\n' : '');

/** Lines with some changes taken back, some context removed, and some lines added, where a line may be added. */
function edit(lines: readonly PatchLine[], { flip, insert }: Exclude<Act, string>): readonly PatchLine[] {
  const flipped = lines.flatMap((line, index): PatchLine[] => {
    if (!flip.includes(index)) return [line];
    return line.sign === '+' ? [] : [{ ...line, sign: line.sign === ' ' ? '-' : ' ' }];
  });
  const end = flipped.findIndex(({ noNewline }) => noNewline);
  const last = end === -1 ? flipped.length : end;
  return insert.reduce<readonly PatchLine[]>((all, { at, text }) => all.toSpliced(Math.min(at, last), 0, { sign: '+', text }), flipped);
}

const perform = (prompt: ReviewPrompt, action: Act): ReviewPrompt => {
  if (typeof action !== 'string') {
    const part = prompt.parts[prompt.current]!;
    const endsHunk = prompt.parts[prompt.current + 1]?.chunk !== part.chunk;
    const edited = part.hunk && parseEditedLines(part.hunk.lines, formatLines(edit(linesOfPart(part), action)), endsHunk);
    return edited?.ok ? takeEditedPart(prompt, edited) : prompt;
  }
  const step = stepReview(prompt, { kind: 'text', text: action });
  return step.kind === 'prompt' ? step.prompt : prompt;
};

/** The new side of a file when exactly the kept parts are made: what a person would expect, worked out without a patch. */
function expected(before: string, prompt: ReviewPrompt, path: string): string {
  const rows = before.split(/(?<=\n)/);
  const own = prompt.parts.filter(({ chunk, hunk }) => hunk && (chunk.file.oldPath ?? chunk.file.newPath) === path);
  let text = '';
  let at = 0;
  for (const part of own) {
    const hunk = part.hunk!;
    const start = hunk.oldLines === 0 ? hunk.oldStart : hunk.oldStart - 1;
    text += rows.slice(at, start).join('');
    at = start + hunk.oldLines;
    text +=
      part.verdict === 'keep'
        ? linesOfPart(part)
            .filter(({ sign }) => sign !== '-')
            .map((line) => line.text + (line.noNewline ? '' : '\n'))
            .join('')
        : rows.slice(start, at).join('');
  }
  return text + rows.slice(at).join('');
}

test(
  verifies('H1:review-any-way', 'however a patch is reviewed, split and edited, git applies what is left, and its effect is what was kept'),
  () => {
    fc.assert(
      fc.property(fc.array(file, { minLength: 1, maxLength: 2 }), fc.array(act, { maxLength: 14 }), (files, acts) => {
        for (const side of ['a', 'b']) {
          rmSync(join(folder, side), { recursive: true, force: true });
          mkdirSync(join(folder, side));
        }
        const names = files.map((_, index) => `f${index}`);
        const before = files.map(({ lines, endsOld }) => textOf(lines, endsOld));
        for (const [index, { lines, changes: edits, endsNew }] of files.entries()) {
          const after = edits.reduce((all, { at, remove, insert }) => all.toSpliced(at, remove, ...insert), lines);
          writeFileSync(join(folder, 'a', names[index]!), before[index]!);
          writeFileSync(join(folder, 'b', names[index]!), textOf(after, endsNew));
        }
        const diff = git(['diff', '--no-index', '--no-renames', 'a', 'b']).replaceAll(/^(diff --git |--- |\+\+\+ )(.*)$/gm, (line) =>
          line.replaceAll(/([ab])\/[ab]\//g, '$1/'),
        );
        fc.pre(diff !== '');
        const patch = parsePatch(diff);
        const prompt = acts.reduce(perform, askReview('r', patch, ''));
        const review = concludeReview(prompt.parts);
        const filtered = formatPatch(filterPatch(patch, review));
        for (const [index, name] of names.entries()) writeFileSync(join(folder, name), before[index]!);
        if (filtered !== '') git(['apply', '--whitespace=nowarn', '-'], filtered);
        for (const [index, name] of names.entries())
          expect(readFileSync(join(folder, name), 'utf8')).toBe(expected(before[index]!, prompt, name));
        const untouched = listChunks(patch).every(({ number }) => review.chunks.includes(number)) && review.editedChunks!.length === 0;
        if (untouched) expect(filtered.replaceAll(/^diff.*\n/gm, '')).toBe(diff.replaceAll(/^(diff|index).*\n/gm, ''));
      }),
      { numRuns: RUNS },
    );
  },
);
