import { judgeCommand, type JsonObject } from '@codelab/tools';
import { execFile } from 'node:child_process';
import { chmodSync, existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { toWorkspacePath } from '../src/files/paths/parse-path.js';
import { findWorkspaceRoot } from '../src/files/paths/workspace-root.js';
import { writeSettings, type Setting } from '../src/git/settings.js';
import type { Environment } from '../src/inherited-environment.js';
import { withHarmlessGit } from '../src/processes/approval/with-harmless-git.js';
import { openWorkingDirectory } from '../src/processes/approval/working-directory.js';
import { MADE_UP } from './git-settings.js';
import { fastDirectory, GIT_ENVIRONMENT, temporaryWorkspace, type TemporaryWorkspace } from './temporary-workspace.js';

const run = promisify(execFile);

/** Files with attributes of the drivers that are made up. */
const FILES = MADE_UP.map((_, index) => `b.${String(index)}`);

/** What runs unasked, in the forms that look at as much as they can. */
export const COMMANDS: readonly string[] = [
  'git status',
  'git log -1',
  'git log -p --stat --decorate --graph --all',
  "git log --format='%an %cn %s %b %N %d'",
  'git log --follow -- a.txt',
  'git --no-pager show',
  'git show HEAD:a.txt',
  'git diff',
  'git diff --cached --stat',
  'git diff HEAD~1 HEAD',
  'git blame a.txt',
  'git branch -avv',
  'git ls-files --others --exclude-standard',
  'git rev-parse --abbrev-ref HEAD',
];

/** A call of a tool. */
export type ToolCall = readonly [name: string, args: JsonObject];

/** Each tool of git, and another one that asks git. What changes something comes last. */
export const TOOLS: readonly ToolCall[] = [
  ['git.status', {}],
  ['git.diff', { path: '.' }],
  ['git.diff', { path: '.', staged: true }],
  ['git.diff', { path: '.', untracked: true }],
  ['git.log', {}],
  ['git.branch', { action: 'list' }],
  ['apply_patch', { diff: '--- a/a.txt\n+++ b/a.txt\n@@ -1 +1 @@\n-x\n+y\n' }],
  ['git.commit', { message: 'by the tool', files: ['.'] }],
  ['git.branch', { action: 'create', name: 'made' }],
  ['git.branch', { action: 'switch', name: 'made' }],
  ['git.branch', { action: 'switch', name: 'main' }],
  ['git.branch', { action: 'delete', name: 'made' }],
];

/** A repository, a program beside it that must never run, and a file that nobody may see. */
export interface GitCanary {
  readonly temporary: TemporaryWorkspace;
  /** The absolute path of the program; it leaves a mark where it runs. */
  readonly program: string;
  /** The absolute path of the file, whose lines have `SECRET` in them. */
  readonly secret: string;
  /** Writes the repository's configuration, with these settings in addition to what git and the user wrote. */
  configure(settings: readonly Setting[]): void;
  /**
   * Runs every command and every tool of git with the settings: commands as they run unasked, but with settings that come after the
   * repository was looked at; tools with settings that were there before.
   *
   * @returns what each printed or answered
   */
  tryAll(settings: readonly Setting[], what?: { commands?: readonly string[]; tools?: readonly ToolCall[] }): Promise<readonly string[]>;
  /** Runs the commands with the settings as git does by itself. */
  tryOpenly(settings: readonly Setting[], commands: readonly string[]): Promise<readonly string[]>;
  /** What the program wrote; empty if it never ran. */
  ran(): string;
}

const signatureOf = (kind: 'PGP' | 'SSH'): string =>
  [`gpgsig -----BEGIN ${kind} SIGNATURE-----`, ' ', ' iQEzBAABCAAdFiEE', ` -----END ${kind} SIGNATURE-----`].join('\n');

/** Gives the last commit a signature that nobody made. */
const signFalsely = (temporary: TemporaryWorkspace, kind: 'PGP' | 'SSH'): void => {
  const file = join(temporary.base, 'commit');
  writeFileSync(file, temporary.git('cat-file', 'commit', 'HEAD').replace('\n\n', `\n${signatureOf(kind)}\n\n`));
  temporary.git('reset', '-q', '--soft', temporary.git('hash-object', '-t', 'commit', '-w', file).trim());
};

/** A repository in which everything is there that a setting could act on: attributes that name drivers, signatures, notes, branches. */
const build = (temporary: TemporaryWorkspace): void => {
  const attributes = MADE_UP.map((name, index) => `*.${String(index)} diff=${name} filter=${name} merge=${name}\n`);
  temporary.git('init', '-q');
  temporary.write('.gitattributes', Buffer.from(`*.txt diff=plain filter=plain merge=plain\n${attributes.join('')}`, 'latin1'));
  for (const content of ['first', 'second']) {
    for (const name of ['a.txt', ...FILES]) temporary.write(name, `a\n${content}\n`);
    temporary.git('add', '-A');
    temporary.git('commit', '-qm', content);
    signFalsely(temporary, content === 'first' ? 'SSH' : 'PGP');
  }
  temporary.git('notes', 'add', '-m', 'a note');
  temporary.git('branch', 'other');
};

/** @see GitCanary */
export async function gitCanary(): Promise<GitCanary> {
  const temporary = await temporaryWorkspace({ directory: fastDirectory() });
  const [program, marker, config] = [join(temporary.base, 'program'), join(temporary.base, 'ran'), join(temporary.root, '.git/config')];
  const secret = join(temporary.outside, 'secret.txt');
  writeFileSync(secret, 'SECRET: one\nSECRET <secret@example.com>\n');
  writeFileSync(program, `#!/bin/sh\necho "$0 $*" >> '${marker}'\ncat\n`);
  chmodSync(program, 0o755);
  build(temporary);
  const head = temporary.git('rev-parse', 'HEAD').trim();
  const identity = [
    { key: 'user.name', value: 'A' },
    { key: 'user.email', value: 'a@example.com' },
  ];
  const plain = Buffer.concat([readFileSync(config), writeSettings(identity)]);
  const configure = (settings: readonly Setting[]): void => writeFileSync(config, Buffer.concat([plain, writeSettings(settings)]));

  /** Changes that are staged, unstaged and new. */
  const reset = (): void => {
    configure([]);
    temporary.git('reset', '-q', '--hard', head);
    rmSync(marker, { force: true });
    for (const name of ['staged.0', 'staged.txt']) temporary.write(name, 'new\n');
    temporary.git('add', 'staged.0', 'staged.txt');
    for (const name of ['a.txt', ...FILES, 'new.txt', 'new.0', 'new.3']) temporary.write(name, 'changed\n');
  };

  const runAll = async (commands: readonly string[], variables: Environment): Promise<readonly string[]> => {
    const options = { cwd: temporary.root, env: { ...GIT_ENVIRONMENT, ...variables } };
    const outputs: string[] = [];
    for (const command of commands) {
      const { stdout, stderr } = await run('/bin/sh', ['-c', `exec < /dev/null; ${command}`], options).catch(
        (error: unknown) => error as { stdout: string; stderr: string },
      );
      outputs.push(`${command}: ${stdout}${stderr}`);
    }
    return outputs;
  };

  const runTurned = async (settings: readonly Setting[], commands: readonly string[]): Promise<readonly string[]> => {
    const root = await findWorkspaceRoot(temporary.root, temporary.dataDir);
    const directory = await openWorkingDirectory(root, toWorkspacePath('.'));
    const judged = commands.map((command) => judgeCommand(command));
    const asked = judged.find(({ verdict }) => verdict !== 'automatic');
    if (asked !== undefined) throw new Error(`a command of the canary is not one that runs unasked: ${asked.reason}`);
    const check = {
      root,
      directory,
      commands: judged.flatMap((each) => each.commands),
      goesOn: false,
      signal: new AbortController().signal,
    };
    try {
      return await withHarmlessGit(check, (variables) => {
        configure(settings);
        return runAll(commands, variables);
      });
    } finally {
      await directory.close();
    }
  };

  const runTools = async (settings: readonly Setting[], tools: readonly ToolCall[]): Promise<readonly string[]> => {
    configure(settings);
    const outputs: string[] = [];
    for (const [tool, args] of tools) {
      const answer = await temporary.workspace.run(tool, args, { signal: new AbortController().signal, callId: 'c', approved: true });
      outputs.push(`${tool} ${JSON.stringify(args)}: ${JSON.stringify(answer)}`);
    }
    return outputs;
  };

  return {
    ...{ temporary, program, secret, configure },
    ran: () => (existsSync(marker) ? readFileSync(marker, 'utf8') : ''),
    tryAll: async (settings, { commands = COMMANDS, tools = TOOLS } = {}) => {
      reset();
      return [...(await runTurned(settings, commands)), ...(await runTools(settings, tools))];
    },
    tryOpenly: (settings, commands) => {
      reset();
      configure(settings);
      return runAll(commands, {});
    },
  };
}
