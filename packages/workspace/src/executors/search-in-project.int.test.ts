import { afterAll, afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { JsonObject } from '@codelab/tools';
import { forAtMost, verifies } from '@codelab/testkit';
import fc from 'fast-check';
import { execFileSync } from 'node:child_process';
import { chmodSync, closeSync, ftruncateSync, mkdirSync, openSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { temporaryWorkspace, type TemporaryWorkspace } from '../../test/temporary-workspace.js';

interface Found {
  readonly matches: readonly { path: string; line: number; column: number; text: string; before?: string[]; after?: string[] }[];
  readonly truncated: boolean;
}

const PATH = process.env['PATH'];
const hasRipgrep = execFileSync('sh', ['-c', 'command -v rg || true'], { encoding: 'utf8' }) !== '';
const ENGINES = hasRipgrep ? (['ripgrep', 'plain'] as const) : (['plain'] as const);

let temporary: TemporaryWorkspace;
beforeEach(async () => {
  temporary = await temporaryWorkspace();
});
afterEach(() => temporary.remove());
afterAll(() => {
  process.env['PATH'] = PATH;
});

const use = (engine: (typeof ENGINES)[number]): void => {
  process.env['PATH'] = engine === 'ripgrep' ? PATH : '/nonexistent';
};
const search = async (args: JsonObject): Promise<Found> => (await temporary.run('search_in_project', args)) as unknown as Found;
const places = async (args: JsonObject): Promise<string[]> =>
  (await search(args)).matches.map(({ path, line, column }) => `${path}:${String(line)}:${String(column)}`);

describe.each(ENGINES)('by %s', (engine) => {
  beforeEach(() => use(engine));

  test('a text is found line by line, in the order of paths, with line and column in characters', async () => {
    temporary.write('b/z.txt', 'x\nпривет Foo foo\r\n');
    temporary.write('b.txt', '😀 foo');
    temporary.write('a/a.txt', '\ufefffoo\n\nfoo');
    expect(await search({ query: 'foo' })).toEqual({
      matches: [
        { path: 'a/a.txt', line: 1, column: 1, text: 'foo' },
        { path: 'a/a.txt', line: 3, column: 1, text: 'foo' },
        { path: 'b/z.txt', line: 2, column: 8, text: 'привет Foo foo' },
        { path: 'b.txt', line: 1, column: 3, text: '😀 foo' },
      ],
      truncated: false,
    });
    expect(await places({ query: 'foo', case_sensitive: true, path: 'b' })).toEqual(['b/z.txt:2:12']);
    expect(await places({ query: 'ПРИВЕТ' })).toEqual(['b/z.txt:2:1']);
    expect(await places({ query: 'foo', path: 'b/z.txt' })).toEqual(['b/z.txt:2:8']);
    expect(await places({ query: 'foo', pattern: '*.{txt,md}', path: 'b' })).toEqual(['b/z.txt:2:8']);
    expect(await places({ query: 'foo', pattern: 'a/**' })).toEqual(['a/a.txt:1:1', 'a/a.txt:3:1']);
  });

  test('a regular expression; without "regex" the same text is a text', async () => {
    temporary.write('a', 'a.c\nabc\nfn(x1)\nконец\nend\r\n');
    expect(await places({ query: 'a.c' })).toEqual(['a:1:1']);
    expect(await places({ query: 'a.c', regex: true })).toEqual(['a:1:1', 'a:2:1']);
    expect(await places({ query: '^\\w+$', regex: true })).toEqual(['a:2:1', 'a:4:1', 'a:5:1']);
    expect(await places({ query: '\\(\\w\\d\\)', regex: true })).toEqual(['a:3:3']);
    expect(await places({ query: 'd$', regex: true })).toEqual(['a:5:3']);
    expect(await places({ query: '-e', regex: true })).toEqual([]);
    expect(await temporary.failure('search_in_project', { query: 'a(b', regex: true })).toMatch(
      /^INVALID_ARGUMENTS: .*(unclosed group|missing closing \))/,
    );
    expect(await temporary.failure('search_in_project', { query: 'a(b', regex: true, path: 'a' })).toMatch(/^INVALID_ARGUMENTS: /);
  });

  test(verifies('W1:search-linear', 'an expression that takes others years takes no time'), async () => {
    temporary.write('a', `${'a'.repeat(5_000)}!`);
    expect(await places({ query: '^(a+)+$', regex: true })).toEqual([]);
    expect(await places({ query: '(a|aa)+!', regex: true })).toEqual(['a:1:1']);
  });

  test('a last line that is only a return is an empty line', async () => {
    temporary.write('a', '\n\r');
    expect(await places({ query: '^$', regex: true })).toEqual(['a:1:1', 'a:2:1']);
  });

  test('context, and windows into long lines', async () => {
    temporary.write('a', `1\n2\r\nhit\n4\n${'x'.repeat(3_000)}😀hit${'y'.repeat(3_000)}\n6`);
    const { matches } = await search({ query: 'hit', context_lines: 2 });
    expect(matches[0]).toMatchObject({ line: 3, before: ['1', '2'], after: ['4', `${'x'.repeat(499)}…`] });
    expect(matches[1]).toMatchObject({ line: 5, column: 3_002, before: ['hit', '4'], after: ['6'] });
    expect([...matches[1]!.text]).toHaveLength(500);
    expect(matches[1]!.text).toMatch(/^…x+😀hity+…$/u);
  });

  test('limits: matches, and what is shown of them', async () => {
    temporary.write('a', 'hit\n'.repeat(250));
    temporary.write('b', 'hit');
    expect((await search({ query: 'hit' })).matches).toHaveLength(200);
    expect(await search({ query: 'hit', limit: 2 })).toMatchObject({ matches: [{ line: 1 }, { line: 2 }], truncated: true });
    expect((await search({ query: 'hit', limit: 251 })).truncated).toBe(false);
    expect((await search({ query: 'hit', limit: 250 })).truncated).toBe(true);
    temporary.write('c', `hit ${'z'.repeat(480)}\n`.repeat(2_000));
    const large = await search({ query: 'z', context_lines: 10, limit: 2_000 });
    expect(large.truncated).toBe(true);
    expect(JSON.stringify(large).length).toBeLessThan(2.1 * 1024 * 1024);
  });

  test(
    verifies('W1:search-skips', 'binary and huge files, .git, ignored and secret files are not searched unless they are named'),
    async () => {
      temporary.write('.gitignore', 'ignored/\n*.log\n');
      temporary.write('sub/.gitignore', '!keep.log\n');
      for (const path of ['ignored/a', 'x.log', 'sub/x.log', 'sub/keep.log', '.git/config', '.env', 'sub/.env.local', 'plain', '.hidden'])
        temporary.write(path, 'needle\n');
      temporary.write('binary', Buffer.from('needle\n\0'));
      temporary.write('utf16', Buffer.from('\ufeffneedle', 'utf16le'));
      temporary.write('late-binary', `needle\n${'x'.repeat(300_000)}\0`);
      const sparse = openSync(join(temporary.root, 'sparse'), 'w');
      ftruncateSync(sparse, 10 * 1024 ** 3);
      closeSync(sparse);
      expect(await places({ query: 'needle' })).toEqual(['.hidden:1:1', 'plain:1:1', 'sub/keep.log:1:1']);
      expect(await places({ query: 'needle', path: 'sub' })).toEqual(['sub/keep.log:1:1']);
      expect(await places({ query: 'needle', path: 'ignored' })).toEqual(['ignored/a:1:1']);
      expect(await places({ query: 'needle', path: '.env' })).toEqual(['.env:1:1']);
      expect(await places({ query: 'needle', path: 'binary' })).toEqual([]);
      expect(await places({ query: 'needle', include_ignored: true })).toEqual(
        ['.hidden', 'ignored/a', 'plain', 'sub/keep.log', 'sub/x.log', 'x.log'].map((path) => `${path}:1:1`),
      );
    },
  );

  test(verifies('W1:search-links', 'a search follows no link, and is led nowhere by what lies in the tree'), async () => {
    temporary.write('real/a', 'SECRET\n');
    symlinkSync(temporary.outside, join(temporary.root, 'out'));
    symlinkSync(join(temporary.outside, 'secret.txt'), join(temporary.root, 'leaf'));
    symlinkSync('/dev/zero', join(temporary.root, 'zero'));
    symlinkSync('.', join(temporary.root, 'self'));
    symlinkSync('real', join(temporary.root, 'l'));
    execFileSync('/usr/bin/env', ['PATH=/usr/bin:/bin', 'mkfifo', join(temporary.root, 'fifo')]);
    expect(await places({ query: 'SECRET' })).toEqual(['real/a:1:1']);
    expect(await places({ query: 'SECRET', path: 'l' })).toEqual(['real/a:1:1']);
    expect(await places({ query: 'SECRET', path: 'l/a' })).toEqual(['l/a:1:1']);
    for (const path of ['out', 'leaf', 'zero'])
      expect(await temporary.run('search_in_project', { query: 'SECRET', path })).toBe('PATH_OUTSIDE_WORKSPACE');
    expect(await temporary.run('search_in_project', { query: 'x', path: 'fifo' })).toBe('INVALID_PATH');
  });

  test('a call that is cancelled stops', async () => {
    for (let index = 0; index < 500; index += 1) temporary.write(`d${String(index % 10)}/f${String(index)}`, 'x\n'.repeat(500));
    const controller = new AbortController();
    const answer = temporary.run('search_in_project', { query: 'never' }, { signal: controller.signal });
    controller.abort();
    expect(await answer).toBe('CANCELLED');
  });
});

const ifRipgrep = hasRipgrep ? test : test.skip;

ifRipgrep(verifies('W1:search-same', 'with ripgrep and without it the answer is the same'), async () => {
  const names = ['a', 'b.txt', 'c.log', 'd'];
  const path = fc.array(fc.constantFrom(...names), { minLength: 1, maxLength: 3 }).map((each) => each.join('/'));
  const line = fc.string({ unit: fc.constantFrom('a', 'b', 'A', ' ', '1', 'ж', 'Ж', '\r', '.', '\ufeff'), maxLength: 8 });
  const query = fc.oneof(
    fc.record({ query: fc.constantFrom('a', 'ab', 'Ж', '.', 'a b', '1'), case_sensitive: fc.boolean() }),
    fc.record({
      query: fc.constantFrom('a+b?', '^a', 'b$', '\\d', '\\w{3}', '[^a]$', 'a|ж', '\\S\\s', '[^b]$', '[a$]b$', '^$', '(?:ab)+', 'x*'),
      regex: fc.constant(true),
    }),
  );
  const tree = fc.array(fc.tuple(path, fc.array(line, { maxLength: 6 })), { minLength: 1, maxLength: 8 });
  const options = fc.record({
    pattern: fc.constantFrom('*', '*.txt', 'a/**'),
    path: fc.constantFrom('.', 'a', 'd'),
    context_lines: fc.nat(2),
  });
  await fc.assert(
    fc.asyncProperty(
      tree,
      query,
      options,
      fc.constantFrom('', '*.log', '/a/d\n!b.txt', 'd/'),
      forAtMost(8_000, async (files, asked, more, ignore) => {
        for (const name of readdirSync(temporary.root)) rmSync(join(temporary.root, name), { recursive: true });
        mkdirSync(join(temporary.root, 'a'));
        temporary.write('.gitignore', ignore);
        for (const [name, lines] of files) {
          try {
            temporary.write(name, lines.join('\n'));
          } catch {
            // a file where a directory should be: the tree is without it
          }
        }
        use('ripgrep');
        const one = await temporary.run('search_in_project', { ...asked, ...more });
        use('plain');
        expect(await temporary.run('search_in_project', { ...asked, ...more })).toEqual(one);
      }),
    ),
    { numRuns: 100 },
  );
});

ifRipgrep(verifies('W1:search-program', 'no program, and no configuration, of the workspace is run'), async () => {
  const marker = join(temporary.base, 'ran');
  temporary.write('rg', `#!/bin/sh\ntouch ${marker}\n`);
  chmodSync(join(temporary.root, 'rg'), 0o755);
  writeFileSync(join(temporary.root, 'a'), 'needle');
  temporary.write('ripgreprc', `--pre=${join(temporary.root, 'rg')}\n`);
  process.env['PATH'] = `${temporary.root}:.:${PATH ?? ''}`;
  process.env['RIPGREP_CONFIG_PATH'] = join(temporary.root, 'ripgreprc');
  try {
    expect(await places({ query: 'needle' })).toEqual(['a:1:1']);
    expect(readdirSync(temporary.base)).not.toContain('ran');
  } finally {
    delete process.env['RIPGREP_CONFIG_PATH'];
  }
});
