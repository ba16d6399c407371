import { afterAll, afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { JsonObject } from '@codelab/tools';
import { forAtMost, verifies } from '@codelab/testkit';
import fc from 'fast-check';
import { execFileSync } from 'node:child_process';
import { readdirSync, rmSync, utimesSync } from 'node:fs';
import { join } from 'node:path';
import { temporaryWorkspace, type TemporaryWorkspace } from '../../test/temporary-workspace.js';

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
const search = (args: JsonObject): ReturnType<TemporaryWorkspace['run']> =>
  temporary.run('search_in_project', { regex: true, ...args }, { additions: true });
const pathsOf = async (args: JsonObject): Promise<string[]> =>
  ((await search({ mode: 'files', ...args })) as unknown as { files: { path: string }[] }).files.map(({ path }) => path).sort();
const failure = (args: JsonObject): Promise<string> => temporary.failure('search_in_project', { regex: true, ...args });

describe.each(ENGINES)('by %s', (engine) => {
  beforeEach(() => use(engine));

  test(verifies('L3:x4', 'files the ones changed last first, counts by path, and how many there are in all'), async () => {
    for (const [index, path] of ['a.ts', 'b/c.ts', 'd.js'].entries()) {
      temporary.write(path, 'hit\nno\nhit hit\n');
      utimesSync(join(temporary.root, path), 0, 2_000 - index);
    }
    temporary.write('none', 'no');
    expect(await search({ query: 'hit', mode: 'files' })).toEqual({
      matches: [],
      files: [
        { path: 'a.ts', count: 2, mtime_ms: 2_000_000 },
        { path: 'b/c.ts', count: 2, mtime_ms: 1_999_000 },
        { path: 'd.js', count: 2, mtime_ms: 1_998_000 },
      ],
      ...{ truncated: false, total: 3, total_matches: 6 },
    });
    utimesSync(join(temporary.root, 'd.js'), 0, 3_000);
    expect(await search({ query: 'hit', mode: 'files', limit: 1 })).toMatchObject({ files: [{ path: 'd.js' }], truncated: true, total: 3 });
    expect(await search({ query: 'hit', mode: 'files', offset: 2 })).toMatchObject({ files: [{ path: 'b/c.ts' }], truncated: false });
    expect(await search({ query: 'hit', mode: 'counts', offset: 1, limit: 1 })).toMatchObject({
      ...{ files: [{ path: 'b/c.ts', count: 2 }], truncated: true, total: 3, total_matches: 6 },
    });
    expect(await search({ query: 'hit', mode: 'matches', offset: 1, limit: 2 })).toMatchObject({
      ...{
        matches: [
          { path: 'a.ts', line: 3 },
          { path: 'b/c.ts', line: 1 },
        ],
        truncated: true,
        total: 6,
      },
    });
    expect(await search({ query: 'hit', mode: 'matches', offset: 9 })).toEqual({ matches: [], truncated: false, total: 6 });
    expect(await search({ query: 'hit', mode: 'counts', path: 'a.ts' })).toMatchObject({ files: [{ path: 'a.ts', count: 2 }] });
  });

  test('globs, with "!" too, and types', async () => {
    for (const path of ['a.ts', 'b/c.tsx', 'b/d.test.ts', 'e.py', 'Makefile', 'src/f.rs']) temporary.write(path, 'hit');
    expect(await pathsOf({ query: 'hit', glob: '*.{ts,tsx}' })).toEqual(['a.ts', 'b/c.tsx', 'b/d.test.ts']);
    expect(await pathsOf({ query: 'hit', glob: '!*.test.ts', type: 'ts' })).toEqual(['a.ts', 'b/c.tsx']);
    expect(await pathsOf({ query: 'hit', glob: 'b/**', pattern: '*.ts' })).toEqual(['b/d.test.ts']);
    expect(await pathsOf({ query: 'hit', glob: '!b/**', type: 'TypeScript' })).toEqual(['a.ts']);
    expect(await pathsOf({ query: 'hit', type: 'make' })).toEqual(['Makefile']);
    expect(await pathsOf({ query: 'hit', type: 'rust', path: 'src' })).toEqual(['src/f.rs']);
    expect(await pathsOf({ query: 'hit', glob: '*.py', path: 'e.py' })).toEqual(['e.py']);
    expect(await failure({ query: 'hit', type: 'rustt' })).toMatch(/^INVALID_ARGUMENTS: There is no type of files "rustt": .*rust/);
    expect(await failure({ query: 'hit', glob: '[' })).toMatch(/^INVALID_ARGUMENTS: /);
  });

  test('lines before and after, each as many as wanted', async () => {
    temporary.write('a', '1\n2\n3\nhit\n5\n6\n');
    const { matches } = (await search({ query: 'hit', before: 2, after: 1 })) as unknown as { matches: object[] };
    expect(matches).toEqual([{ path: 'a', line: 4, column: 1, text: 'hit', before: ['2', '3'], after: ['5'] }]);
    expect(await search({ query: 'hit', context_lines: 1, after: 0 })).toMatchObject({ matches: [{ before: ['3'], after: [] }] });
  });

  test('matches over lines, with every kind of line end', async () => {
    temporary.write('crlf', 'x\r\nfoo(\r\n  a,\r\n) end\r\nlast\r\n');
    temporary.write('lf', 'foo(\n  a,\n) end\nfoo(b)');
    temporary.write('none', 'foo\n');
    const found = (await search({ query: 'foo\\([^)]*\\)', multiline: true, after: 1 })) as unknown as { matches: object[] };
    expect(found.matches).toEqual([
      { path: 'crlf', line: 2, end_line: 4, column: 1, text: 'foo(\n  a,\n) end', before: [], after: ['last'] },
      { path: 'lf', line: 1, end_line: 3, column: 1, text: 'foo(\n  a,\n) end', before: [], after: ['foo(b)'] },
      { path: 'lf', line: 4, column: 1, text: 'foo(b)', before: [], after: [] },
    ]);
    expect(await search({ query: 'a.*last', multiline: true, mode: 'counts' })).toMatchObject({
      files: [{ path: 'crlf', count: 1 }],
      total: 1,
    });
    expect(await search({ query: 'a,\n) e', multiline: true, regex: false })).toMatchObject({
      matches: [{ path: 'crlf' }, { path: 'lf' }],
    });
    expect(await search({ query: '^last$', multiline: true })).toMatchObject({ matches: [{ path: 'crlf', line: 5 }] });
    expect(await search({ query: 'a\nb', regex: false })).toBe('INVALID_ARGUMENTS');
    expect(await failure({ query: 'ab\\n' })).toMatch(/without "multiline", at character 3/);
  });

  test('over lines too, no expression takes more than linear time', async () => {
    temporary.write('a', `${'a\n'.repeat(5_000)}!`);
    expect(await search({ query: '^(a\\n|a\\na\\n)+!$', multiline: true, mode: 'counts' })).toMatchObject({ total: 1 });
    expect(await search({ query: '(a+\\n+)+b', multiline: true })).toMatchObject({ matches: [] });
  });

  test.each([
    ['a(b', 'unclosed group, at character 2'],
    ['ä[b', 'unclosed character class, at character 2'],
    ['ab)', 'unopened group, at character 3'],
    ['*a', 'there is nothing that could be repeated, at character 1'],
    ['a|+', 'there is nothing that could be repeated, at character 3'],
    ['x(?!y)', 'look-around is not supported, at character 2'],
    ['(?<=y)x', 'look-around is not supported, at character 1'],
    ['(a)\\1', 'back references are not supported, at character 4'],
    ['a**', 'what is repeated already is repeated again, at character 3'],
    ['a\\', 'there is nothing after its last "\\", at character 2'],
  ])('%s is refused with the place of the fault', async (query, fault) => {
    temporary.write('a', 'a');
    for (const more of [{}, { multiline: true }, { path: 'a' }, { mode: 'counts' }])
      expect(await failure({ query, ...more })).toBe(`INVALID_ARGUMENTS: The query cannot be searched for: ${fault}.`);
  });

  test.each(['^*a', '[]a]', '[^]]', '[[:alpha:]_]+', '(?i)A', '(?i:A)', '(?P<n>a)', 'a{1,2}?', '\\(a', '[(]?a', 'a|', '\\ba\\b'])(
    '%s is an expression',
    async (query) => {
      temporary.write('a', 'a_]\n(a\n');
      expect(await search({ query })).toHaveProperty('matches');
    },
  );
});

const ifRipgrep = hasRipgrep ? test : test.skip;

ifRipgrep(verifies('L3:x4', 'with ripgrep and without it the answer is the same, whatever is asked'), async () => {
  const line = fc.string({ unit: fc.constantFrom('a', 'b', 'A', ' ', '(', ')', 'ж', '1'), maxLength: 6 });
  const content = fc.array(fc.tuple(line, fc.constantFrom('\n', '\r\n', '\n')), { maxLength: 8 }).map((lines) => lines.flat().join(''));
  const path = fc.constantFrom('x.ts', 'a/y.ts', 'a/z.py', 'b/w', 'x.tsx');
  const tree = fc.array(fc.tuple(path, content), { minLength: 1, maxLength: 5 });
  const expression = fc.constantFrom(
    'a',
    'a+b?',
    '\\(.*\\)',
    'a\\nb',
    'a\\s+b',
    '^b',
    'b$',
    '[^a]{3}',
    '\\w+\\s',
    '(a|ж)\\n.',
    'x*',
    '\\d',
    'a.b',
    '^$',
  );
  const asked = fc.record(
    {
      query: expression,
      multiline: fc.boolean(),
      mode: fc.constantFrom('matches', 'files', 'counts'),
      case_sensitive: fc.boolean(),
      glob: fc.constantFrom('*.ts', '!*.py', 'a/**', '!a/**'),
      type: fc.constantFrom('ts', 'py'),
      before: fc.nat(2),
      after: fc.nat(2),
      offset: fc.nat(3),
      limit: fc.integer({ min: 1, max: 4 }),
    },
    { requiredKeys: ['query'] },
  );
  await fc.assert(
    fc.asyncProperty(
      tree,
      asked,
      forAtMost(15_000, async (files, args) => {
        for (const name of readdirSync(temporary.root)) rmSync(join(temporary.root, name), { recursive: true });
        for (const [name, text] of files) temporary.write(name, text);
        use('ripgrep');
        const one = await search(args);
        use('plain');
        expect(await search(args)).toEqual(one);
      }),
    ),
    { numRuns: 300 },
  );
});
