import { afterAll, beforeAll, expect, test } from 'vitest';
import type { JsonObject } from '@codelab/tools';
import { verifies } from '@codelab/testkit';
import fc from 'fast-check';
import { lstatSync, mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { fastDirectory, temporaryWorkspace, type TemporaryWorkspace } from './temporary-workspace.js';

/** Attempts that are made at least, in both ways of holding directories together. */
const ATTEMPTS = 10_000;
const WRITTEN = 'W'.repeat(10_000);
const PATH = process.env['PATH'];

let temporary: TemporaryWorkspace;
let before: Record<string, string>;
let attempts = 0;
let answers = new Map<string, number>();

/** Links to everywhere, directories in a circle, twins that only some file systems tell apart. */

const fill = (): void => {
  for (const name of readdirSync(temporary.root)) rmSync(join(temporary.root, name), { recursive: true, force: true });
  mkdirSync(join(temporary.root, 'dir/deep'), { recursive: true });
  for (const [name, target] of [
    ['up', '..'],
    ['out', temporary.outside],
    ['secret', join(temporary.outside, 'secret.txt')],
    ['twin', '../ws-evil'],
    ['self', '.'],
    ['l', 'dir'],
    ['dir/back', '../../outside'],
    ['dir/deep/top', '/'],
    ['dangling', 'x/y'],
    ['made', '../outside/made'],
    ['round', 'round'],
    ['ping', 'pong'],
    ['pong', 'ping'],
    ['zero', '/dev/zero'],
    ['proc', '/proc/self/environ'],
    ['root', '/proc/self/root'],
  ] as const)
    symlinkSync(target, join(temporary.root, name));
  for (const name of ['file', 'dir/file', 'dir/deep/file', 'FILE', 'e\u0301', '\u00e9']) temporary.write(name, 'inside');
};

const NAMES = [
  ...[
    'up',
    'out',
    'secret',
    'twin',
    'self',
    'l',
    'dir',
    'back',
    'deep',
    'top',
    'dangling',
    'made',
    'round',
    'ping',
    'zero',
    'proc',
    'root',
  ],
  ...['file', 'FILE', 'e\u0301', '\u00e9', 'new', 'secret.txt', 'ws', 'ws-evil', 'outside', 'data', 'tmp', 'etc', 'cwd', '.git', 'config'],
];
const HOSTILE = [
  ...[
    '..',
    '...',
    '.. ',
    '..\\',
    '..%2f',
    '%2e%2e',
    '..;',
    '..\u0000',
    '\u2025',
    '\uff0e\uff0e',
    '.\u200b.',
    '\u202e..',
    '~',
    '~root',
    '$HOME',
    '`id`',
  ],
  ...[
    'C:',
    'c:\\x',
    'C:x',
    '\\\\server\\share',
    '\\\\?\\C:\\x',
    '\\\\.\\pipe\\x',
    'CON',
    'aux.txt',
    'x:stream',
    'x::$DATA',
    'end.',
    'end ',
    'PROGRA~1',
  ],
  ...['\0', 'a\0b', '\n', '-rf', '--help', ':(top)', ':/', '*', '[a]', 'a'.repeat(250), 'ä'.repeat(130), '\ud800', ''],
];
const segment = fc.oneof({ weight: 4, arbitrary: fc.constantFrom(...NAMES) }, { weight: 1, arbitrary: fc.constantFrom(...HOSTILE) });
const below = fc.array(segment, { minLength: 1, maxLength: 6 }).map((segments) => segments.join('/'));
const path = fc.oneof(
  { weight: 6, arbitrary: below },
  { weight: 1, arbitrary: below.map((each) => `/${each}`) },
  { weight: 1, arbitrary: fc.tuple(below, below).map(([one, other]) => `${one}/../${other}`) },
  { weight: 1, arbitrary: fc.string({ unit: 'binary', maxLength: 300 }) },
  { weight: 1, arbitrary: fc.string({ unit: fc.constantFrom('.', '/', '\\', 'a', ':', ' ', 'C'), maxLength: 12 }) },
);

/** Each tool that takes a path, with one or two of them. */
const CALLS: readonly ((one: string, other: string) => readonly [tool: string, args: JsonObject])[] = [
  (one) => ['read_file', { path: one }],
  (one) => ['read_file', { path: one }],
  (one) => ['list_files', { path: one, recursive: true, include_ignored: true }],
  (one, other) => ['list_files', { path: '.', pattern: other === '' ? '*' : other.slice(0, 255), recursive: one.length % 2 === 0 }],
  (one) => ['search_in_project', { path: one, query: 'SECRET', include_ignored: true }],
  (one) => ['write_file', { path: one, content: WRITTEN }],
  (one) => ['create_directory', { path: one }],
  (one) => ['delete_file', { path: one }],
  (one, other) => ['move_file', { from: one, to: other }],
  (one, other) => ['move_file', { from: other, to: `${one}/x` }],
  (one) => ['apply_patch', { diff: `--- /dev/null\n+++ b/${one}\n@@ -0,0 +1 @@\n+${WRITTEN}\n`, allow_dirty: true }],
  (one) => ['apply_patch', { diff: `--- a/${one}\n+++ b/${one}\n@@ -1 +1 @@\n-SECRET\n+${WRITTEN}\n`, allow_dirty: true }],
  (one) => ['git.diff', { path: one }],
  (one) => ['git.status', { path: one }],
  (one) => ['git.log', { path: one }],
  (one) => ['git.commit', { message: 'm', files: [one] }],
];

/** Everything below the workspace that is a file; links are not followed. */
const filesOf = (directory: string): string[] =>
  readdirSync(directory, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));

/** What lies beside the workspace, but for the client's own data. */
const outsideOf = (): Record<string, string> =>
  Object.fromEntries(
    readdirSync(temporary.base)
      .filter((name) => name !== 'ws' && name !== 'data')
      .flatMap((name) => Object.entries(temporary.snapshot(join(temporary.base, name))).map(([path, text]) => [`${name}/${path}`, text])),
  );

const assertWhole = (): void => {
  expect(outsideOf()).toEqual(before);
  for (const file of filesOf(temporary.root)) {
    expect(file).not.toMatch(/\.tmp$/);
    if (lstatSync(file).isFile()) expect(['inside', WRITTEN, `${WRITTEN}\n`]).toContain(readFileSync(file, 'utf8'));
  }
};

const attempt = async (tool: string, args: JsonObject): Promise<void> => {
  attempts += 1;
  const answer = await temporary.run(tool, args);
  expect(JSON.stringify(answer)).not.toMatch(/SECRET|root:x:/);
  const key = typeof answer === 'string' ? answer : 'done';
  answers.set(key, (answers.get(key) ?? 0) + 1);
  if (key === 'done' && !/^(read|list|search|git)/.test(tool)) {
    assertWhole();
    fill();
  }
};

beforeAll(() => {
  process.env['PATH'] = '/nonexistent'; // neither git nor ripgrep: what is attacked is what we do ourselves
});
afterAll(() => {
  process.env['PATH'] = PATH;
});

test.each(['descriptor', 'path'] as const)(
  verifies(
    'W1:attacks',
    'held by %s: of thousands of generated attempts with every file tool none reaches outside or leaves a partial file',
  ),
  async (anchoring) => {
    temporary = await temporaryWorkspace({ anchoring, directory: fastDirectory() });
    try {
      before = outsideOf();
      expect(Object.keys(before)).toEqual(['outside/secret.txt', 'ws-evil/secret.txt']);
      fill();
      [attempts, answers] = [0, new Map()];
      await fc.assert(
        fc.asyncProperty(path, path, async (one, other) => {
          for (const call of CALLS) await attempt(...call(one, other));
        }),
        { numRuns: Math.ceil(ATTEMPTS / 2 / CALLS.length) + 5 },
      );
      assertWhole();
      expect(attempts).toBeGreaterThanOrEqual(ATTEMPTS / 2);
      for (const code of ['done', 'PATH_OUTSIDE_WORKSPACE', 'INVALID_PATH', 'FILE_NOT_FOUND'])
        expect(answers.get(code)).toBeGreaterThan(100);
      expect(answers.get('OUTCOME_UNKNOWN')).toBeUndefined();
    } finally {
      temporary.remove();
    }
  },
);
