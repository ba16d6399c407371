import { afterEach, beforeEach, expect, test } from 'vitest';
import { forAtMost, verifies } from '@codelab/testkit';
import fc from 'fast-check';
import { execFileSync } from 'node:child_process';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { temporaryWorkspace, type TemporaryWorkspace } from '../../test/temporary-workspace.js';

let temporary: TemporaryWorkspace;
beforeEach(async () => {
  temporary = await temporaryWorkspace();
});
afterEach(() => temporary.remove());

const NAMES = ['a', 'b', 'log', 'x.log', 'build', '.hidden', 'a b', 'äö', '[z]', '#c', '!d'];
const path = fc.array(fc.constantFrom(...NAMES), { minLength: 1, maxLength: 4 }).map((names) => names.join('/'));
const rule = fc.oneof(
  fc.constantFrom(
    '*',
    '!*',
    '*.log',
    '!x.log',
    'build/',
    '/a',
    '**/b',
    'a/**',
    'a/**/b',
    '?',
    '[a-c]',
    '\\#c',
    '\\!d',
    '/*/b',
    '#c',
    '',
    ' ',
  ),
  fc.constantFrom(
    '!a/',
    '!/a/b',
    'a/b',
    '*/',
    '!*/',
    'log/*',
    '!log/x.log',
    '.*',
    '[!a]',
    '\\[z\\]',
    'a b',
    'a\\ b ',
    'ä',
    '**',
    '/**/log',
  ),
);

const listed = async (include = false): Promise<string[]> => {
  const answer = await temporary.run('list_files', { recursive: true, limit: 10_000, include_ignored: include });
  const { entries } = answer as unknown as { entries: { path: string; type: string }[] };
  return entries.filter(({ type }) => type === 'file').map((entry) => entry.path);
};

test(verifies('W1:ignore-rules', 'what git leaves out of a work tree is left out of lists, with or without a repository'), async () => {
  execFileSync('git', ['init', '-q'], { cwd: temporary.root });
  const tree = fc.record({
    files: fc.array(path, { minLength: 3, maxLength: 14 }),
    ignores: fc.array(fc.tuple(fc.constantFrom('', 'a/', 'b/', 'build/', 'a/b/'), fc.array(rule, { minLength: 1, maxLength: 4 })), {
      maxLength: 3,
    }),
    exclude: fc.array(rule, { maxLength: 2 }),
  });
  await fc.assert(
    fc.asyncProperty(
      tree,
      forAtMost(8_000, async ({ files, ignores, exclude }) => {
        for (const name of NAMES) rmSync(join(temporary.root, name), { recursive: true, force: true });
        rmSync(join(temporary.root, '.gitignore'), { force: true });
        const put = (name: string, content: string): void => {
          try {
            mkdirSync(dirname(join(temporary.root, name)), { recursive: true });
            writeFileSync(join(temporary.root, name), content);
          } catch {
            // a file where a directory should be, or the other way round: the tree is without it
          }
        };
        for (const file of files) put(file, file);
        for (const [directory, rules] of ignores) put(`${directory}.gitignore`, `${rules.join('\n')}\n`);
        put('.git/info/exclude', exclude.join('\n'));
        const git = temporary.git('ls-files', '-z', '--others', '--cached', '--exclude-standard').split('\0').filter(Boolean);
        expect((await listed()).sort()).toEqual(git.sort());
      }),
    ),
    { numRuns: 60 },
  );
});
