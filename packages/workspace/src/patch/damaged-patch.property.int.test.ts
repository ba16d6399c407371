import { afterAll, beforeAll, expect, test } from 'vitest';
import { parsePatch } from '@codelab/tools';
import { verifies } from '@codelab/testkit';
import fc from 'fast-check';
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fastDirectory, gitIn, temporaryWorkspace, type TemporaryWorkspace } from '../../test/temporary-workspace.js';

/**
 * What becomes of a patch that was damaged on its way: its meaning, or an error and nothing changed. Never a part of it. The meaning is what
 * the undamaged patch does, or what `git apply` makes of the damaged one, as long as that leaves no line of it out, which git does.
 */

let temporary: TemporaryWorkspace;
let scratch: string;
beforeAll(async () => {
  temporary = await temporaryWorkspace({ directory: fastDirectory() });
  scratch = join(temporary.base, 'scratch');
});
afterAll(() => temporary.remove());

type Tree = Readonly<Record<string, string>>;

const NAMES = ['one.txt', 'two.txt', 'new.txt'];
const line = fc.constantFrom('alpha', 'beta', 'gamma', 'delta', '', '  in', '}', 'x y');
/** Lines that differ by their number, so that most hunks fit in one place, and some that don't. */
const lines = fc
  .array(line, { minLength: 6, maxLength: 24 })
  .map((words) => words.map((word, at) => (at % 3 === 0 ? word : `${word} ${String(at)}`)));
const edit = fc.record({ at: fc.nat(24), remove: fc.nat(2), insert: fc.array(line, { maxLength: 2 }) });
const file = fc.record({
  lines,
  edits: fc.array(edit, { minLength: 1, maxLength: 3 }),
  ended: fc.boolean(),
  endedAfter: fc.boolean(),
  crlf: fc.boolean(),
  kind: fc.constantFrom('change', 'change', 'change', 'add', 'remove'),
});

const textOf = (all: readonly string[], ended: boolean, crlf: boolean): string => {
  const newline = crlf ? '\r\n' : '\n';
  return all.join(newline) + (ended ? newline : '');
};

const trees = fc.array(file, { minLength: 1, maxLength: 2 }).map((files): { before: Tree; after: Tree } => {
  const [before, after]: [Record<string, string>, Record<string, string>] = [{}, {}];
  files.forEach(({ lines: all, edits, ended, endedAfter, crlf, kind }, index) => {
    const name = NAMES[index]!;
    const edited = edits.reduce((text, { at, remove, insert }) => text.toSpliced(Math.min(at, text.length), remove, ...insert), all);
    if (kind !== 'add') before[name] = textOf(all, ended, crlf);
    if (kind !== 'remove') after[name] = textOf(edited, endedAfter, crlf);
  });
  return { before, after };
});

const fill = (directory: string, files: Tree): void => {
  rmSync(directory, { recursive: true, force: true });
  mkdirSync(directory, { recursive: true });
  for (const [name, text] of Object.entries(files)) writeFileSync(join(directory, name), text);
};

const readAll = (directory: string): Tree =>
  Object.fromEntries(readdirSync(directory).map((name) => [name, readFileSync(join(directory, name), 'utf8')]));

const diffOf = (before: Tree, after: Tree): string => {
  fill(join(scratch, 'a'), before);
  fill(join(scratch, 'b'), after);
  try {
    return gitIn(scratch, ['diff', '--no-index', '--no-prefix', '-M', '-U2', 'a', 'b']);
  } catch (error) {
    const { stdout } = error as { readonly stdout: string };
    return stdout
      .replaceAll(/^diff --git [ab]\/(.*) [ab]\//gm, 'diff --git a/$1 b/')
      .replaceAll(/^(rename|copy) (from|to) [ab]\//gm, '$1 $2 ');
  }
};

const gitApply = (before: Tree, patch: string): Tree | undefined => {
  const directory = join(scratch, 'applied');
  fill(directory, before);
  try {
    // We take a patch without the newline at its end, as models write them, and a marker that was cut off; git doesn't.
    const whole = patch.replaceAll(/^\\.*$/gm, '\\ No newline at end of file');
    gitIn(directory, ['apply', '--whitespace=nowarn', '-'], whole.endsWith('\n') ? whole : `${whole}\n`);
    return readAll(directory);
  } catch {
    return undefined;
  }
};

/** One place where a text is damaged, and how. */
type Damage = (text: readonly string[], at: number) => readonly string[];
const nth = (text: readonly string[], at: number, matches: (row: string) => boolean): number => {
  const found = text.flatMap((row, index) => (matches(row) ? [index] : []));
  return found.length === 0 ? -1 : found[at % found.length]!;
};
const replaced =
  (matches: (row: string) => boolean, change: (row: string) => readonly string[]): Damage =>
  (text, at) => {
    const index = nth(text, at, matches);
    return index === -1 ? text : text.toSpliced(index, 1, ...change(text[index]!));
  };
const isHeader = (row: string): boolean => row.startsWith('@@');
const any = (): boolean => true;
const inserted = (row: string): Damage => replaced(any, (old) => [old, row]);
const counted = (change: number): Damage =>
  replaced(isHeader, (row) => [row.replace(/,(\d+)/, (_, digits: string) => `,${String(Math.max(0, Number(digits) + change))}`)]);

const DAMAGES: Readonly<Record<string, Damage>> = {
  'a bare hunk header': replaced(isHeader, () => ['@@']),
  'a hunk header of words': replaced(isHeader, () => ['@@ function f() @@']),
  'a hunk header without numbers': replaced(isHeader, () => ['@@ -,+ @@']),
  'no hunk header': replaced(isHeader, () => []),
  'a count too high': counted(1),
  'a count too low': counted(-1),
  'another line number': replaced(isHeader, (row) => [row.replace(/-(\d+)/, (_, digits: string) => `-${String(Number(digits) + 3)}`)]),
  'cut off': (text, at) => text.slice(0, 1 + (at % text.length)),
  'cut off within a line': (text, at) => [...text.slice(0, at % text.length), (text[at % text.length] ?? '').slice(0, 3)],
  'a line less': replaced(any, () => []),
  'a line twice': replaced(any, (row) => [row, row]),
  'a line without its sign': replaced(
    (row) => /^[-+ ]/.test(row),
    (row) => [row.slice(1)],
  ),
  'no marker of a missing newline': replaced(
    (row) => row.startsWith('\\'),
    () => [],
  ),
  'a marker too many': inserted('\\ No newline at end of file'),
  'CRLF everywhere': (text) => text.map((row) => (row === '' ? row : `${row.replace(/\r$/, '')}\r`)),
  'no CRLF anywhere': (text) => text.map((row) => row.replace(/\r$/, '')),
  'CRLF in one line': replaced(any, (row) => [`${row}\r`]),
  'blanks stripped from the ends': (text) => text.map((row) => row.replace(/ +$/, '')),
  'no diff --git line': replaced(
    (row) => row.startsWith('diff --git'),
    () => [],
  ),
  'no --- line': replaced(
    (row) => row.startsWith('--- '),
    () => [],
  ),
  'the name of another file': replaced(
    (row) => row.startsWith('+++ '),
    () => ['+++ b/two.txt'],
  ),
  'no prefix': replaced(
    (row) => /^(---|\+\+\+) /.test(row),
    (row) => [row.replace(/ [ab]\//, ' ')],
  ),
  ...Object.fromEntries(
    [
      'garbage',
      '',
      '+stray',
      '-stray',
      ' stray',
      '--',
      '-- ',
      '@@',
      '```',
      'new mode 100755',
      'rename from one.txt',
      'index 1234567..89abcde 100644',
    ].map((row) => [`"${row}" put in`, inserted(row)]),
  ),
};

const damage = fc.record({ name: fc.constantFrom(...Object.keys(DAMAGES)), at: fc.nat(60) });

const inflict = (patch: string, damages: readonly { readonly name: string; readonly at: number }[]): string =>
  damages.reduce<readonly string[]>((text, { name, at }) => DAMAGES[name]!(text, at), patch.split('\n')).join('\n');

const textsOf = (files: Tree, isLax: boolean): string => {
  const texts = JSON.stringify(Object.entries(files).sort());
  return isLax ? texts.replaceAll('\\r', '') : texts;
};

const withoutReturns = (files: Tree): Tree =>
  Object.fromEntries(Object.entries(files).map(([name, text]) => [name, text.replaceAll('\r', '')]));

const isName = (row: string): boolean => /^(--- (a\/|\/dev\/null|\w+\.txt)|\+\+\+ (b\/|\/dev\/null|\w+\.txt))/.test(row);
/** Lines with a sign; before the first name of a file there are only words. */
const changesIn = (text: string): number => {
  const rows = text.split('\n');
  return rows.slice(rows.findIndex(isName)).filter((row) => /^[-+]/.test(row) && !isName(row)).length;
};
const changesRead = (text: string): number =>
  parsePatch(text)
    .flatMap(({ hunks }) => hunks.flatMap((hunk) => hunk.lines))
    .filter(({ sign }) => sign !== ' ').length;

test(
  verifies('W2:patch-damaged', 'a damaged patch has its meaning or none: it is applied whole, or it is an error and nothing is changed'),
  async () => {
    fill(scratch, {});
    const outcomes = { applied: 0, refused: 0 };
    await fc.assert(
      fc.asyncProperty(trees, fc.array(damage, { maxLength: 2 }), async ({ before, after }, damages) => {
        const whole = diffOf(before, after);
        fc.pre(whole !== '');
        const damaged = inflict(whole, damages);
        for (const name of readdirSync(temporary.root)) rmSync(join(temporary.root, name));
        for (const [name, text] of Object.entries(before)) temporary.write(name, text);
        const answer = await temporary.run('apply_patch', { diff: damaged, allow_dirty: true });
        const now = readAll(temporary.root);
        if (typeof answer === 'string') {
          expect(['PATCH_APPLY_FAILED', 'INVALID_ARGUMENTS', 'INVALID_PATH', 'PATH_OUTSIDE_WORKSPACE']).toContain(answer);
          expect(now).toEqual(before);
          if (damaged === whole) throw new Error('the patch as git wrote it was refused');
          outcomes.refused += 1;
          return;
        }
        outcomes.applied += 1;
        expect(changesRead(damaged)).toBe(changesIn(damaged));
        // What we take and git doesn't: a patch without CRLF for a file with it (of a new file nothing says which), and mixed prefixes.
        const isLax = damages.some(({ name }) => name === 'no CRLF anywhere');
        if (textsOf(now, isLax) === textsOf(after, isLax)) return;
        const understood = inflict(
          whole,
          damages.filter(({ name }) => name !== 'no prefix'),
        );
        if (isLax) expect(withoutReturns(now)).toEqual(gitApply(withoutReturns(before), understood.replaceAll('\r', '')));
        else expect(now).toEqual(gitApply(before, understood));
      }),
      { numRuns: 300 },
    );
    expect(Math.min(outcomes.applied, outcomes.refused)).toBeGreaterThan(10);
  },
);
