import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { applyHunks, parsePatch } from '@codelab/tools/patch';
import { verifies } from '@codelab/testkit';
import fc from 'fast-check';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gitIn } from '../../test/temporary-workspace.js';

const apply = (content: string, hunks: string): string => {
  const applied = applyHunks(content, parsePatch(`--- a/x\n+++ b/x\n${hunks}`)[0]!.hunks);
  return applied.ok ? applied.content : `FAILED ${applied.problem}`;
};

describe('where a hunk goes', () => {
  test('to the line that it names', () => expect(apply('a\nb\nc\n', '@@ -1,3 +1,3 @@\n a\n-b\n+B\n c\n')).toBe('a\nB\nc\n'));
  test('to the nearest match, if the numbers are off; of two equally near, to the later', () => {
    expect(apply('x\nx\na\nb\nc\n', '@@ -2,3 +2,3 @@\n a\n-b\n+B\n c\n')).toBe('x\nx\na\nB\nc\n');
    expect(apply('a\nb\nc\n-\na\nb\nc\n', '@@ -3,3 +3,3 @@\n a\n-b\n+B\n c\n')).toBe('a\nb\nc\n-\na\nB\nc\n');
  });
  test('not to what is similar', () => {
    expect(apply('a\nb \nc\n', '@@ -1,3 +1,3 @@\n a\n-b\n+B\n c\n')).toBe(
      'FAILED hunk 1 does not fit: line 2 should be "b\\n" and is "b \\n"',
    );
    expect(apply('a\n', '@@ -1,3 +1,3 @@\n a\n-b\n+B\n c\n')).toBe(
      'FAILED hunk 1 does not fit: line 2 should be "b\\n" and is the end of the file',
    );
  });
  test('nowhere, without any context, but where it says', () => {
    expect(apply('a\nb\n', '@@ -2 +2 @@\n-b\n+B\n')).toBe('a\nB\n');
    expect(apply('x\na\nb\n', '@@ -2 +2 @@\n-b\n+B\n')).toContain('FAILED');
    expect(apply('a\nb\n', '@@ -1,0 +2 @@\n+new\n')).toBe('FAILED hunk 1 does not fit: it has too little context to be placed');
    expect(apply('', '@@ -0,0 +1 @@\n+new\n')).toBe('new\n');
  });
  test('in order and without overlap', () => {
    const two = '@@ -1,2 +1,2 @@\n-a\n+A\n b\n@@ -3,2 +3,2 @@\n-a\n+A\n b\n';
    expect(apply('a\nb\na\nb\n', two)).toBe('A\nb\nA\nb\n');
    expect(apply('a\nb\n', two)).toContain('FAILED hunk 2');
  });
});

describe('ends of lines', () => {
  test('a missing newline at the end is made, kept and removed only as the patch says', () => {
    expect(apply('a\nb', '@@ -1,2 +1,2 @@\n a\n-b\n\\ No newline at end of file\n+B\n')).toBe('a\nB\n');
    expect(apply('a\nb\n', '@@ -1,2 +1,2 @@\n a\n-b\n+b\n\\ No newline at end of file\n')).toBe('a\nb');
    expect(apply('a\nb', '@@ -1,2 +1,2 @@\n-a\n+A\n b\n\\ No newline at end of file\n')).toBe('A\nb');
    expect(apply('a\nb\n', '@@ -1,2 +1,2 @@\n-a\n+A\n b\n\\ No newline at end of file\n')).toContain('FAILED');
    expect(apply('a\nb\nc\n', '@@ -1,2 +1,2 @@\n-a\n+A\n b\n\\ No newline at end of file\n')).toContain('FAILED');
  });
  test('a byte order mark survives a patch that does not know it', () => {
    expect(apply('\ufeffa\nb\n', '@@ -1,2 +1,2 @@\n-a\n+A\n b\n')).toBe('\ufeffA\nb\n');
    expect(apply('\ufeffa\n', '@@ -1 +0,0 @@\n-a\n')).toBe('');
  });

  test('CRLF survives a patch that has it, and one that a model wrote without', () => {
    expect(apply('a\r\nb\r\n', '@@ -1,2 +1,2 @@\n a\r\n-b\r\n+B\r\n')).toBe('a\r\nB\r\n');
    expect(apply('a\r\nb\r\n', '@@ -1,2 +1,3 @@\n a\n-b\n+B\n+C\n')).toBe('a\r\nB\r\nC\r\n');
  });
  test('a patch may change the ends, and a file with both kinds takes only an exact one', () => {
    expect(apply('a\r\nb\r\n', '@@ -1,2 +1,2 @@\n a\r\n-b\r\n+b\n')).toBe('a\r\nb\n');
    expect(apply('a\r\nb\n', '@@ -1,2 +1,2 @@\n a\n-b\n+B\n')).toContain('FAILED');
  });
  test('a byte order mark and lone carriage returns stay', () => {
    expect(apply('\ufeffa\rb\nc\n', '@@ -1,2 +1,2 @@\n \ufeffa\rb\n-c\n+C\n')).toBe('\ufeffa\rb\nC\n');
  });
});

test('a patch that fits nowhere in a large file is given up soon', () => {
  const lines = Array.from({ length: 200_000 }, () => 'same\n').join('');
  const hunk = `@@ -1000,400 +1000,400 @@\n${' same\n'.repeat(398)}-other\n+x\n same\n`;
  const began = Date.now();
  expect(apply(lines, hunk)).toBe('FAILED hunk 1 fits nowhere near its place');
  expect(Date.now() - began).toBeLessThan(30_000);
});

describe(verifies('W2:patch-as-git', 'what git applies is applied with the same result'), () => {
  let directory: string;
  beforeAll(() => {
    directory = mkdtempSync(join(tmpdir(), 'codelab-'));
    gitIn(directory, ['init', '-q']);
  });
  afterAll(() => rmSync(directory, { recursive: true, force: true }));

  const line = fc.constantFrom('a', 'b', 'c', 'd', '', ' a', '-', '+b', '\\', 'é', 'f\r', '-- x', '++ x');
  const text = fc
    .tuple(fc.array(line, { maxLength: 25 }), fc.boolean())
    .map(([lines, ended]) => (lines.length === 0 ? '' : lines.join('\n') + (ended ? '\n' : '')));
  /** Lines to put in or take out somewhere. */
  const edit = fc.record({ at: fc.nat(25), remove: fc.nat(2), insert: fc.array(line, { maxLength: 2 }) });
  const edited = (content: string, edits: readonly { at: number; remove: number; insert: readonly string[] }[]): string =>
    edits
      .reduce((lines, { at, remove, insert }) => lines.toSpliced(Math.min(at, lines.length), remove, ...insert), content.split('\n'))
      .join('\n');
  const file = (name: string): string => join(directory, name);
  const diffOf = (before: string, after: string, context: number): string => {
    writeFileSync(file('x'), before);
    writeFileSync(file('y'), after);
    try {
      gitIn(directory, ['diff', '--no-index', `-U${String(context)}`, 'x', 'y']);
      return '';
    } catch (error) {
      return (error as { stdout: string }).stdout.replaceAll('b/y', 'b/x');
    }
  };
  const gitApply = (content: string, patch: string): string | undefined => {
    writeFileSync(file('x'), content);
    try {
      gitIn(directory, ['apply', '--whitespace=nowarn', '-'], patch);
      return readFileSync(file('x'), 'utf8');
    } catch {
      return undefined;
    }
  };

  test('random edits, on the file itself and on one that has changed since', () => {
    const edits = fc.array(edit, { minLength: 1, maxLength: 4 });
    fc.assert(
      fc.property(text, edits, fc.array(edit, { maxLength: 2 }), fc.integer({ min: 1, max: 4 }), (before, change, drift, context) => {
        const after = edited(before, change);
        const patch = diffOf(before, after, context);
        fc.pre(patch !== '');
        const hunks = parsePatch(patch)[0]!.hunks;
        expect(applyHunks(before, hunks)).toEqual({ ok: true, content: after });
        if (patch.includes('\n\\ No newline')) return; // git takes such a line for the start of a longer one, and joins the two
        const drifted = edited(before, drift);
        const expected = gitApply(drifted, patch);
        if (expected !== undefined) expect(applyHunks(drifted, hunks)).toEqual({ ok: true, content: expected });
      }),
      { numRuns: 100 },
    );
  });
});
