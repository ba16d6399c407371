import type { ToolErrorCode } from '@codelab/protocol';
import type { JsonObject } from '@codelab/tools';
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Ask } from '../src/ask.js';
import type { CodeIndexOptions } from '../src/code-index/code-index.js';
import type { OpenFiles } from '../src/files/content/open-files.js';
import type { Anchoring } from '../src/files/paths/open-directory.js';
import { findWorkspaceRoot } from '../src/files/paths/workspace-root.js';
import { Workspace, type RunOptions } from '../src/open-workspace.js';

/** A workspace in a directory of its own, with something beside it that no tool may touch. */
export interface TemporaryWorkspace {
  /** Holds `ws`, `ws-evil` (a sibling with the same prefix), `outside` and `data`. */
  readonly base: string;
  readonly root: string;
  readonly outside: string;
  readonly dataDir: string;
  readonly workspace: Workspace;
  write(path: string, content: string | Buffer): void;
  read(path: string): string;
  /** The result of a call, or the code of its failure. */
  run(
    tool: string,
    args: JsonObject,
    options?: Partial<Pick<RunOptions, 'operands' | 'signal' | 'approved' | 'onOutput' | 'additions' | 'sessionId'>>,
  ): Promise<JsonObject | ToolErrorCode>;
  /** The message of a call that must fail. */
  failure(tool: string, args: JsonObject): Promise<string>;
  git(...args: string[]): string;
  /** Everything below a directory, with what it holds. */
  snapshot(directory?: string): Record<string, string>;
  remove(): void;
}

/** What git needs to work the same on every machine. */
export const GIT_ENVIRONMENT = {
  PATH: process.env['PATH'],
  HOME: '/nonexistent',
  GIT_CONFIG_NOSYSTEM: '1',
  GIT_AUTHOR_NAME: 'A',
  GIT_AUTHOR_EMAIL: 'a@example.com',
  GIT_COMMITTER_NAME: 'A',
  GIT_COMMITTER_EMAIL: 'a@example.com',
} as const;

/** Runs git in a directory; throws with its words if it fails. */
export const gitIn = (directory: string, args: readonly string[], input?: string): string =>
  execFileSync('git', ['-c', 'init.defaultBranch=main', ...args], {
    cwd: directory,
    env: GIT_ENVIRONMENT,
    encoding: 'utf8',
    input: input ?? '',
    stdio: ['pipe', 'pipe', 'pipe'],
    maxBuffer: 64 * 1024 * 1024,
  });

const snapshotOf = (directory: string): Record<string, string> =>
  Object.fromEntries(
    readdirSync(directory, { withFileTypes: true, recursive: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name))
      .filter((path) => !path.includes('/.git/'))
      .map((path) => [path.slice(directory.length + 1), readFileSync(path, 'latin1')]),
  );

let callCount = 0;

/** A directory in memory, where there is one: for what makes thousands of durable changes. */
export const fastDirectory = (): string => (existsSync('/dev/shm') ? '/dev/shm' : tmpdir());

/** What lets a worker run the sources as they are. */
export const SOURCES_EXEC_ARGV = [
  '--conditions=codelab-source',
  '--import',
  fileURLToPath(new URL('../../../scripts/register-swc.mjs', import.meta.url)),
];

/**
 * @param anchoring how directories are held; what the system can, if left out
 * @param directory where it is made
 */
export async function temporaryWorkspace({
  ask,
  anchoring,
  directory = tmpdir(),
  index,
  openFiles,
}: {
  ask?: Ask;
  anchoring?: Anchoring;
  directory?: string;
  index?: CodeIndexOptions;
  openFiles?: (root: string) => OpenFiles;
} = {}): Promise<TemporaryWorkspace> {
  const base = realpathSync(mkdtempSync(join(directory, 'codelab-')));
  const [root, outside, dataDir] = [join(base, 'ws'), join(base, 'outside'), join(base, 'data')];
  for (const directory of [root, outside, join(base, 'ws-evil')]) mkdirSync(directory);
  writeFileSync(join(outside, 'secret.txt'), 'SECRET');
  writeFileSync(join(base, 'ws-evil', 'secret.txt'), 'SECRET');
  const workspace = await Workspace.open(await findWorkspaceRoot(root, dataDir, anchoring), dataDir, {
    ask,
    index,
    openFiles: openFiles?.(root),
  });
  const outcome: TemporaryWorkspace['workspace']['run'] = (tool, args, options) => workspace.run(tool, args, options);
  return {
    base,
    root,
    outside,
    dataDir,
    workspace,
    write: (path, content) => {
      mkdirSync(dirname(join(root, path)), { recursive: true });
      writeFileSync(join(root, path), content);
    },
    read: (path) => readFileSync(join(root, path), 'utf8'),
    run: async (tool, args, options = {}) => {
      callCount += 1;
      const answer = await outcome(tool, args, { signal: new AbortController().signal, callId: `call_${String(callCount)}`, ...options });
      return answer.ok ? answer.result : answer.error.code;
    },
    failure: async (tool, args) => {
      const answer = await outcome(tool, args, { signal: new AbortController().signal, callId: 'call_failure' });
      return answer.ok ? `succeeded: ${JSON.stringify(answer.result)}` : `${answer.error.code}: ${answer.error.message}`;
    },
    git: (...args) => gitIn(root, args),
    snapshot: (directory = root) => snapshotOf(directory),
    remove: () => rmSync(base, { recursive: true, force: true }),
  };
}
