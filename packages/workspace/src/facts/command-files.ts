import { readdir } from 'node:fs/promises';
import { join, relative, sep } from 'node:path';
import type { WorkspaceFiles } from '../files/workspace-files.js';
import { decodeText } from '../decode-text.js';
import { listMarkdown, readInstruction } from './find-instructions.js';
import type { FoundFile } from './instruction-files.js';
import { readUserFile } from './user-files.js';

/** Where commands lie, below the workspace and below the person's own configuration. */
const DIRECTORIES = { workspace: '.codelab/commands', user: 'commands' } as const;

/** Files of commands that are looked at; nobody remembers more names. */
const MAX_FILES = 100;

/** How long they are looked for, in milliseconds. */
const MAX_MS = 1_000;

/** A file of a command that people wrote. */
export interface CommandFile {
  readonly scope: FoundFile['scope'];
  /** Below the folder of commands, with slashes: `git/commit.md`. */
  readonly name: string;
  /** As people know it: below the workspace, or absolute. */
  readonly path: string;
  /** Absent for a file that is no text, too large, or not to be read. */
  readonly text?: string;
}

/**
 * The commands of the workspace, then the person's own. Those of the workspace are read by the rules for all of its files (W1).
 *
 * @param configDir where the person's own are; none without
 */
export async function readCommandFiles(files: WorkspaceFiles, configDir: string | undefined): Promise<readonly CommandFile[]> {
  const own = configDir === undefined ? [] : await listOwn(join(configDir, DIRECTORIES.user));
  const options = { recursive: true, most: MAX_FILES, signal: AbortSignal.timeout(MAX_MS) };
  const ofWorkspace = await listMarkdown(files, DIRECTORIES.workspace, options);
  const found = await Promise.all([
    ...ofWorkspace.map(async (path) => toCommand(path.slice(DIRECTORIES.workspace.length + 1), await readInstruction(files, path))),
    ...own.map(async (name) => {
      const file = await readUserFile(configDir!, `${DIRECTORIES.user}/${name}`);
      return toCommand(name, file && { ...file, path: join(configDir!, file.path) });
    }),
  ]);
  return found.filter((file) => file !== undefined);
}

async function listOwn(directory: string): Promise<readonly string[]> {
  const entries = await readdir(directory, { withFileTypes: true, recursive: true }).catch(() => []); // most people have none
  const names = entries
    .filter((entry) => (entry.isFile() || entry.isSymbolicLink()) && /\.mdc?$/i.test(entry.name))
    .map(({ parentPath, name }) => relative(directory, join(parentPath, name)).split(sep).join('/'));
  return names.sort().slice(0, MAX_FILES);
}

function toCommand(name: string, file: FoundFile | undefined): CommandFile | undefined {
  if (file === undefined) return undefined;
  return { scope: file.scope, name, path: file.path, text: textOf(file) };
}

function textOf({ content, path }: FoundFile): string | undefined {
  if (typeof content === 'string') return undefined;
  try {
    return decodeText(content, path).replace(/^\uFEFF/, '');
  } catch {
    return undefined; // no text, or not in UTF-8
  }
}
