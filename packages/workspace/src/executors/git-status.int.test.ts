import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { verifies } from '@codelab/testkit';
import { mkdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gitIn, temporaryWorkspace, type TemporaryWorkspace } from '../../test/temporary-workspace.js';

let temporary: TemporaryWorkspace;
beforeEach(async () => {
  temporary = await temporaryWorkspace();
});
afterEach(() => temporary.remove());

const status = (path?: string): ReturnType<TemporaryWorkspace['run']> => temporary.run('git.status', path === undefined ? {} : { path });
const log = (args: { limit?: number; path?: string } = {}): ReturnType<TemporaryWorkspace['run']> => temporary.run('git.log', args);
const commitAll = (message = 'x'): void => {
  temporary.git('add', '-A');
  temporary.git('commit', '-qm', message);
};
const STRANGE = ['with blank', 'new\nline', 'quo"te', 'ünïcode', '-option', ':(top)x', '*', 'tab\t'];

describe('git.status', () => {
  test('every kind of change, staged and not', async () => {
    temporary.git('init', '-q');
    for (const name of ['kept', 'changed', 'gone', 'staged', 'moved', 'both', 'typed', 'ungone'])
      temporary.write(name, `${name}\n${'x\n'.repeat(20)}`);
    commitAll();
    temporary.write('changed', 'x');
    rmSync(join(temporary.root, 'gone'));
    temporary.write('staged', 'x');
    temporary.write('both', 'x');
    temporary.write('new', 'x');
    temporary.git('rm', '-q', 'ungone');
    temporary.git('mv', 'moved', 'sub moved');
    temporary.git('add', 'staged', 'both', 'new');
    temporary.write('both', 'y');
    rmSync(join(temporary.root, 'typed'));
    symlinkSync('kept', join(temporary.root, 'typed'));
    temporary.write('loose/deep', 'x');
    temporary.write('.gitignore', 'ignored\n');
    temporary.write('ignored', 'x');
    expect(await status()).toEqual({
      branch: 'main',
      head: temporary.git('rev-parse', 'HEAD').trim(),
      clean: false,
      truncated: false,
      files: expect.arrayContaining([
        { path: 'changed', staged: null, unstaged: 'modified' },
        { path: 'gone', staged: null, unstaged: 'deleted' },
        { path: 'staged', staged: 'modified', unstaged: null },
        { path: 'both', staged: 'modified', unstaged: 'modified' },
        { path: 'new', staged: 'added', unstaged: null },
        { path: 'ungone', staged: 'deleted', unstaged: null },
        { path: 'sub moved', staged: 'renamed', unstaged: null, from: 'moved' },
        { path: 'typed', staged: null, unstaged: 'type_changed' },
        { path: '.gitignore', staged: null, unstaged: 'untracked' },
        { path: 'loose/deep', staged: null, unstaged: 'untracked' },
      ]),
    });
    expect(await status('loose')).toMatchObject({ files: [{ path: 'loose/deep', staged: null, unstaged: 'untracked' }], clean: false });
    expect(await status('kept')).toMatchObject({ files: [], clean: true });
    expect(await status('../x')).toBe('PATH_OUTSIDE_WORKSPACE');
  });

  test('names with anything in them, before the first commit', async () => {
    temporary.git('init', '-q');
    for (const name of STRANGE) temporary.write(name, 'x');
    const answer = await status();
    expect(answer).toMatchObject({ branch: 'main', head: null, clean: false });
    expect((answer as { files: { path: string }[] }).files.map(({ path }) => path).sort()).toEqual([...STRANGE].sort());
    expect(await status('*')).toMatchObject({ files: [{ path: '*' }] });
  });

  test('a conflict, a detached head and an upstream', async () => {
    temporary.git('init', '-q');
    temporary.write('a', 'a\n');
    commitAll();
    temporary.git('branch', 'other');
    temporary.write('a', 'b\n');
    commitAll();
    temporary.git('branch', '--set-upstream-to=other');
    expect(await status()).toMatchObject({ upstream: 'other', ahead: 1, behind: 0, clean: true, files: [] });
    temporary.git('checkout', '-q', '--detach', 'other');
    temporary.write('a', 'c\n');
    commitAll();
    expect(() => temporary.git('merge', '-q', 'main')).toThrow();
    expect(await status()).toMatchObject({ branch: null, files: [{ path: 'a', staged: 'unmerged', unstaged: 'unmerged' }] });
  });

  test('2,000 files are named, and it is said that there are more', async () => {
    temporary.git('init', '-q');
    for (let index = 0; index < 2_001; index += 1) temporary.write(`f${String(index)}`, '');
    const answer = (await status()) as { files: unknown[]; truncated: boolean };
    expect([answer.files.length, answer.truncated]).toEqual([2_000, true]);
  });
});

describe('git.log', () => {
  test('commits with all that they say, newest first, and whether there are older ones', async () => {
    temporary.git('init', '-q');
    expect(await log()).toEqual({ commits: [], truncated: false });
    temporary.write('a', 'a');
    commitAll('first: ü "x"\n\nbody 1\n\nbody 2');
    temporary.write('b', 'b');
    commitAll('second');
    const [second, first] = temporary.git('log', '--format=%H').trim().split('\n');
    expect(await log({ limit: 1 })).toMatchObject({
      commits: [{ sha: second, subject: 'second', body: '', parents: [first] }],
      truncated: true,
    });
    expect(await log({ path: 'a' })).toEqual({
      commits: [
        {
          ...{ sha: first, author: 'A', email: 'a@example.com', date: expect.stringMatching(/^\d{4}-\d\d-\d\dT/) },
          ...{ subject: 'first: ü "x"', body: 'body 1\n\nbody 2', parents: [] },
        },
      ],
      truncated: false,
    });
    expect(await log({ path: 'never' })).toEqual({ commits: [], truncated: false });
  });

  test('a merge, and a message in another encoding', async () => {
    temporary.git('init', '-q');
    temporary.git('commit', '-q', '--allow-empty', '-m', 'base');
    temporary.git('checkout', '-q', '-b', 'side');
    temporary.git('commit', '-q', '--allow-empty', '-m', 'side');
    temporary.git('checkout', '-q', 'main');
    temporary.git('merge', '-q', '--no-ff', '-m', 'merged', 'side');
    writeFileSync(join(temporary.base, 'message'), Buffer.from('f\xfcr', 'latin1'));
    temporary.git('-c', 'i18n.commitEncoding=ISO-8859-1', 'commit', '-q', '--allow-empty', '-F', join(temporary.base, 'message'));
    const { commits } = (await log()) as { commits: { subject: string; parents: string[] }[] };
    expect(commits.map(({ subject }) => subject).sort()).toEqual(['base', 'für', 'merged', 'side']);
    expect(commits.find(({ subject }) => subject === 'merged')?.parents).toHaveLength(2);
  });
});

describe(verifies('W1:git-part', 'of a bigger repository git.status and git.log show the part that is the workspace'), () => {
  beforeEach(() => {
    gitIn(temporary.base, ['init', '-q']);
    writeFileSync(join(temporary.outside, 'other'), 'x');
    gitIn(temporary.base, ['add', 'outside']);
    gitIn(temporary.base, ['commit', '-qm', 'SECRET plans']);
    temporary.write('in', 'x');
    gitIn(temporary.base, ['add', 'ws']);
    gitIn(temporary.base, ['commit', '-qm', 'inside']);
  });

  test('by its own paths', async () => {
    writeFileSync(join(temporary.outside, 'secret.txt'), 'changed');
    temporary.write('in', 'changed');
    mkdirSync(join(temporary.root, 'd'));
    renameSync(join(temporary.outside, 'other'), join(temporary.root, 'd/other'));
    gitIn(temporary.base, ['add', '-A', 'ws/d', 'outside/other']);
    expect(await status()).toMatchObject({
      files: expect.arrayContaining([
        expect.objectContaining({ path: 'd/other', staged: 'added', unstaged: null }),
        expect.objectContaining({ path: 'in', staged: null, unstaged: 'modified' }),
      ]),
    });
    const { commits } = (await log()) as { commits: { subject: string }[] };
    expect(commits.map(({ subject }) => subject)).toEqual(['inside']);
  });
});
