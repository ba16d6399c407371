import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { verifies } from '@codelab/testkit';
import { existsSync, mkdirSync, renameSync, rmSync, symlinkSync, unlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { gitCanary, TOOLS, type GitCanary } from '../../test/git-canary.js';
import { canaryValues, everySetting } from '../../test/git-settings.js';
import { fateOf } from './allowed-settings.js';
import { nameOf, type Setting } from './settings.js';

let canary: GitCanary;
beforeAll(async () => {
  canary = await gitCanary();
});
afterAll(() => canary.temporary.remove());

const unasked = (command: string): Promise<string> => canary.temporary.failure('run_command', { command });

/** Tries everything with the settings: nothing runs, nothing from outside is shown. */
const expectQuiet = async (
  settings: readonly Setting[],
  ...what: readonly Parameters<GitCanary['tryAll']>[1][]
): Promise<readonly string[]> => {
  const outputs = await canary.tryAll(settings, ...what);
  expect(canary.ran()).toBe('');
  expect(outputs.filter((output) => output.includes('SECRET'))).toEqual([]);
  return outputs;
};

const bytes = (text: string): string => Buffer.from(text).toString('latin1');

describe(
  verifies('H1:git-settings', 'of what a repository sets git gets what is on a list and nothing else, whatever its name is made of'),
  () => {
    const settings = everySetting();
    const TEXTS = /^(user|author|committer)\.(name|email)$|^branch\.(remote|pushremote)$|^remote\.(url|pushdefault)$/;

    test('no setting that could say a program or a file is on the list', () => {
      expect(settings.length).toBeGreaterThan(900);
      for (const [, value] of canaryValues(canary)) {
        const given = settings.filter((setting) => fateOf({ ...setting, value }) === 'copied');
        expect(given.filter(({ key }) => !TEXTS.test(key))).toEqual([]);
      }
    });

    test.each([0, 1, 2, 3, 4])('all of them at once, with value %i', async (index) => {
      const [, value] = canaryValues(canary)[index]!;
      const isRefused = ({ key }: Setting): boolean => key.startsWith('extensions.') || key === 'core.worktree';
      const outputs = await expectQuiet(settings.filter((setting) => !isRefused(setting)).map((setting) => ({ ...setting, value })));
      const failed = outputs.filter((output) => output.includes('"ok":false') || output.includes('fatal:'));
      expect(failed).toEqual([expect.stringMatching(/^apply_patch .*PATCH_APPLY_FAILED.*is not clean/)]);
    });

    test.each([
      ['a program for signatures, of OpenPGP', [{ key: 'gpg.program' }, { key: 'format.pretty', value: '%G? %GK' }]],
      ['a format by name', [{ key: 'gpg.program' }, { key: 'pretty.made', value: '%G?' }, { key: 'format.pretty', value: 'made' }]],
      [
        'a program for signatures, of SSH',
        [
          { key: 'gpg.program', subsection: 'ssh' },
          { key: 'gpg.allowedsignersfile', subsection: 'ssh' },
          { key: 'format.pretty', value: '%G?' },
        ],
      ],
      ['a converter with a line separator in its name', [{ key: 'diff.textconv', subsection: bytes('x\u2028y') }]],
      ['a converter with a paragraph separator in its name', [{ key: 'diff.textconv', subsection: bytes('x\u2029y') }]],
      ['a filter whose name is no UTF-8', [{ key: 'filter.clean', subsection: 'x\xff"\\y' }]],
      ['a filter process whose name is no UTF-8', [{ key: 'filter.process', subsection: 'x\xff"\\y' }]],
      ['an external diff', [{ key: 'diff.external' }]],
      ['a monitor', [{ key: 'core.fsmonitor' }]],
      ['a file of revisions', [{ key: 'blame.ignorerevsfile', value: '/etc/passwd' }]],
      ['a file of names', [{ key: 'mailmap.file', value: '/etc/passwd' }]],
      ['a file of attributes', [{ key: 'core.attributesfile', value: '/etc/passwd' }]],
      ['a file of settings', [{ key: 'include.path', value: '/etc/passwd' }]],
      ['a file of settings, on a condition', [{ key: 'includeif.path', subsection: 'gitdir:**', value: '/etc/passwd' }]],
      ['an extension that a later git may know', [{ key: 'extensions.runs', value: 'true' }]],
    ] satisfies [string, Setting[]][])('%s: no command runs it, and one that nobody approved asks and names it', async (_name, made) => {
      const hostile = made.map((setting: Setting) => ({ value: canary.program, ...setting }));
      const commands = ['git log', 'git show', 'git diff', 'git blame a.txt', 'git status'];
      await canary.tryOpenly(hostile, commands);
      if (hostile[0]!.value === canary.program) expect(canary.ran()).not.toBe('');
      await expectQuiet(hostile, { commands, tools: TOOLS.filter(([tool]) => /status|diff|log|commit/.test(tool)) });
      canary.configure(hostile);
      const reason = `the repository sets ${nameOf(hostile[0]!)}, `;
      for (const command of ['git log -1', 'git show', 'git diff', 'git blame a.txt'])
        expect((await unasked(command)).toLowerCase()).toContain(reason.toLowerCase());
    });

    test('what git and its users write into every repository asks about nothing', async () => {
      canary.configure([
        ...[{ key: 'core.hookspath', value: '.husky/_' }, { key: 'pull.rebase', value: 'true' }, { key: 'core.autocrlf' }],
        ...[{ key: 'remote.url', subsection: 'origin', value: 'git@example.com:a/b.git' }],
        ...[{ key: 'remote.fetch', subsection: 'origin', value: '+refs/heads/*:refs/remotes/origin/*' }],
        ...[{ key: 'branch.remote', subsection: bytes('möchte/x'), value: 'origin' }],
        ...[{ key: 'branch.merge', subsection: bytes('möchte/x'), value: bytes('refs/heads/möchte/x') }],
        ...[{ key: 'color.old', subsection: 'diff', value: 'red bold' }],
      ]);
      for (const command of ['git log -1', 'git status', 'git diff', 'git branch -vv'])
        expect(await unasked(command)).toMatch(/^succeeded: \{"exit_code":0/);
    });
  },
);

/** Links that lead to a file outside, and those to a folder with a repository in it. */
const LINKS = [
  ...[
    'BISECT_START',
    'packed-refs',
    'shallow',
    'info/grafts',
    'objects/info/alternates',
    'worktrees/made/gitdir',
    'worktrees/made/HEAD',
    'logs/HEAD',
  ],
  ...['rebase-merge', 'objects/pack', 'objects/00', 'objects/info', 'worktrees', 'refs/notes', 'refs/heads/made', 'logs/refs'],
];

describe(verifies('W1:git-links', 'no link among the data of a repository shows a file outside of it'), () => {
  test.each(LINKS)('%s', async (name) => {
    const own = join(canary.temporary.root, '.git');
    const [link, kept] = [join(own, name), join(own, 'kept')];
    const isFolder = !/BISECT|packed|shallow|grafts|alternates|gitdir|HEAD/.test(name);
    canary.configure([]);
    if (name.startsWith('worktrees/')) {
      mkdirSync(dirname(link), { recursive: true });
      writeFileSync(join(dirname(link), 'HEAD'), 'ref: refs/heads/other\n');
      writeFileSync(join(dirname(link), 'gitdir'), '/nowhere/.git\n');
      rmSync(link);
    } else if (existsSync(link)) renameSync(link, kept);
    symlinkSync(isFolder ? canary.temporary.outside : canary.secret, link);
    try {
      const answers = await Promise.all(['git status', 'git log -1', 'git branch -avv', 'git show abcd'].map(unasked));
      const calls: [string, object][] = [
        ['git.status', {}],
        ['git.log', {}],
        ['git.branch', { action: 'delete', name: 'other' }],
      ];
      const tools = await Promise.all(calls.map(([tool, args]) => canary.temporary.failure(tool, { ...args })));
      expect(JSON.stringify([answers, tools])).not.toMatch(/SECRET|secret\.txt/);
      expect(answers).toEqual(answers.map(() => expect.stringMatching(/leads out of the repository|takes objects from another one/)));
    } finally {
      unlinkSync(link);
      rmSync(join(own, 'worktrees'), { recursive: true, force: true });
      if (existsSync(kept)) renameSync(kept, link);
    }
  });

  test('a linked work tree, its branches and its logs are no links that lead out', async () => {
    const { temporary } = canary;
    canary.configure([]);
    temporary.git('worktree', 'add', '-q', join(temporary.base, 'linked'), 'other');
    try {
      expect(await unasked('git branch -vv')).toMatch(/^succeeded: .*linked/);
    } finally {
      temporary.git('worktree', 'remove', '--force', join(temporary.base, 'linked'));
    }
  });
});

test(verifies('W1:command-paths', 'no path of a command that nobody approved leads outside, by text or by link'), async () => {
  const { temporary } = canary;
  canary.configure([]);
  for (const name of ['plain', 'x@', 'x~1', 'x^', 'x..y', 'x:y']) {
    const [folder, spelled] = [join(temporary.root, name), `"${name}/file.txt"`];
    mkdirSync(folder);
    writeFileSync(join(folder, 'file.txt'), 'inside\n');
    temporary.git('add', '--', name);
    temporary.git('commit', '-qm', name);
    rmSync(folder, { recursive: true });
    symlinkSync(temporary.outside, folder);
    writeFileSync(join(temporary.outside, 'file.txt'), 'SECRET\n');
    for (const command of [`git blame ${spelled}`, `git blame ${spelled} HEAD`, `git blame HEAD -- ${spelled}`, `git diff ${spelled}`])
      expect([command, await unasked(command)]).not.toEqual([command, expect.stringContaining('SECRET')]);
    rmSync(folder);
  }
});
