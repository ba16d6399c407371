import { posix } from 'node:path';
import { findSecretReason } from '@codelab/tools';
import type { Tree } from '../files/tree/tree.js';
import type { WorkspaceFiles } from '../files/workspace-files.js';
import { parsePath, toWorkspacePath } from '../files/paths/parse-path.js';
import { TreeWalk } from '../search/walk-tree.js';
import { isErrno } from '../to-tool-error.js';
import { ToolFailure } from '../tool-failure.js';
import { MAX_FILES_OF_DIRECTORY, MAX_NESTED, MAX_OPENED_BYTES, SEARCH_MS } from './facts-limits.js';
import type { FoundFile } from './instruction-files.js';

/** What instructions are called, in the order in which they count. */
const NAMES = ['AGENTS.md', 'CLAUDE.md'];

/** Directories of rules, the first counts more; and that of agents. */
export const RULE_DIRECTORIES = ['.codelab/rules', '.continue/rules'] as const;
export const AGENT_DIRECTORY = '.codelab/agents';

const isMarkdown = (path: string): boolean => /\.mdc?$/i.test(path);

/** The Markdown file that a link of the workspace leads to in it; nothing else is read through a link. */
const targetOf = async (files: WorkspaceFiles, path: string): Promise<string | undefined> => {
  const link = await files.linkAt(toWorkspacePath(path)).catch(() => undefined); // no link
  if (link === undefined || link.startsWith('/')) return undefined;
  const target = posix.join(posix.dirname(path), link);
  return parsePath(target).ok && isMarkdown(target) && findSecretReason(target) === undefined ? target : undefined;
};

/** Reads one instruction file by the rules for every file of the workspace (W1); `undefined` if there is none. */
export async function readInstruction(files: WorkspaceFiles, path: string): Promise<FoundFile | undefined> {
  const found = (content: FoundFile['content']): FoundFile => ({ path, scope: 'workspace', content });
  try {
    const parsed = parsePath(path);
    if (!parsed.ok) return undefined;
    const entry = await files.entryAt(parsed.path);
    if (entry === undefined) return undefined;
    const target = (await targetOf(files, path)) ?? path;
    const state = await files.readEntry(toWorkspacePath(target), MAX_OPENED_BYTES);
    return state === undefined ? undefined : found(state.content);
  } catch (error) {
    if (error instanceof ToolFailure && error.code === 'FILE_NOT_FOUND') return undefined;
    return found(error instanceof ToolFailure && error.code === 'FILE_TOO_LARGE' ? 'too_large' : 'unreadable');
  }
}

/** The Markdown files of a directory, by name; `recursive`: and of those below it. None where there is no such directory. */
export async function listMarkdown(
  files: WorkspaceFiles,
  directory: string,
  { signal, recursive = false, most = MAX_FILES_OF_DIRECTORY }: Pick<Collecting, 'signal'> & Partial<Collecting>,
): Promise<readonly string[]> {
  const paths: string[] = [];
  await files
    .tree(toWorkspacePath(directory), (tree) => collect(tree, paths, { recursive, most, wants: isMarkdown, signal }))
    .catch((error: unknown) => {
      if (!(error instanceof ToolFailure) && !isErrno(error, 'ENOENT', 'ENOTDIR', 'EACCES')) throw error;
    });
  return paths;
}

/** Instruction files below the root, those near it first: as many as are found in the time. */
export async function findNested(files: WorkspaceFiles, signal: AbortSignal): Promise<readonly string[]> {
  const paths: string[] = [];
  const wants = (name: string): boolean => NAMES.includes(name);
  const inTime = AbortSignal.any([signal, AbortSignal.timeout(SEARCH_MS)]);
  await files
    .tree(toWorkspacePath('.'), (tree) => collect(tree, paths, { recursive: true, most: MAX_NESTED * 4, wants, signal: inTime }))
    .catch(() => undefined); // what was found in the time is what there is
  const depth = (path: string): number => path.split('/').length;
  const nested = paths.filter((path) => path.includes('/'));
  return nested.sort((one, other) => depth(one) - depth(other) || (one < other ? -1 : 1)).slice(0, MAX_NESTED);
}

interface Collecting {
  readonly recursive: boolean;
  readonly most: number;
  readonly wants: (name: string) => boolean;
  readonly signal: AbortSignal;
}

const collect = async (tree: Tree, paths: string[], { recursive, most, wants, signal }: Collecting): Promise<void> => {
  const walk = new TreeWalk(tree.way.at(-1)!, {
    path: tree.segments.join('/'),
    recursive,
    rules: recursive ? { above: undefined } : undefined,
    wants: ({ name }) => wants(name),
    room: () => most - paths.length,
    signal,
  });
  for await (const { path, kind } of walk.entries()) {
    if (kind !== 'directory') paths.push(path);
    if (paths.length >= most) return;
  }
};

/** The instruction files at the root. */
export const rootInstructions = (): readonly string[] => NAMES;
