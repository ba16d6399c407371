import { readFile } from 'node:fs/promises';
import { findAlwaysAskReason, findSecretReason, parsePatch, pathsOfPatch } from '@codelab/tools';
import type { ToolArguments } from './tool-executor.js';

/**
 * What this client wants to be asked about itself, whatever the servers say (H2's limit: the digest protects against swaps and races,
 * not against a hostile server). It can only ask more, never less: a call that it asks about runs only after a decision made at this
 * client for exactly its arguments; decisions of others don't count.
 */
export interface LocalFloor {
  judge(toolName: string, args: ToolArguments): 'run' | 'ask';
}

/** A floor as its file says it. */
export interface FloorConfig {
  /**
   * Whose approvals count for commands and for paths that always ask (`.git/`, hooks, editor, agent and CI configuration, `.env*`).
   * `local`, the default: only those made at this client. `anywhere`: those of every approver of the session.
   */
  readonly approvals?: 'local' | 'anywhere';
  /** Tools that are asked about at this client in any case; `*` is all of them. */
  readonly ask?: readonly string[];
}

const COMMANDS: ReadonlySet<string> = new Set(['run_command', 'run_persistent']);

/** The arguments of the tools that change files which are paths. */
const CHANGED_PATHS: Readonly<Record<string, readonly string[]>> = {
  write_file: ['path'],
  create_directory: ['path'],
  delete_file: ['path'],
  move_file: ['from', 'to'],
};

const textsOf = (args: ToolArguments, names: readonly string[]): readonly string[] =>
  names.map((name) => args[name]).filter((value): value is string => typeof value === 'string');

const patchNeedsAsking = ({ diff }: ToolArguments): boolean => {
  try {
    return typeof diff !== 'string' || pathsOfPatch(parsePatch(diff)).some((path) => findAlwaysAskReason(path) !== undefined);
  } catch {
    return true; // not a patch that we can read: then we can't say where it goes
  }
};

const needsLocalApproval = (toolName: string, args: ToolArguments): boolean => {
  if (COMMANDS.has(toolName)) return true;
  if (toolName === 'apply_patch') return patchNeedsAsking(args);
  if (toolName === 'read_file') return textsOf(args, ['path']).some((path) => findSecretReason(path) !== undefined);
  return textsOf(args, CHANGED_PATHS[toolName] ?? []).some((path) => findAlwaysAskReason(path) !== undefined);
};

/** The floor of a configuration; that of an empty one asks about commands and paths that always ask. */
export const createLocalFloor = ({ approvals = 'local', ask = [] }: FloorConfig = {}): LocalFloor => ({
  judge: (toolName, args) =>
    ask.includes('*') || ask.includes(toolName) || (approvals === 'local' && needsLocalApproval(toolName, args)) ? 'ask' : 'run',
});

const parseConfig = (text: string, path: string): FloorConfig => {
  const fail = (what: string): never => {
    throw new Error(`${path}: ${what}. Correct it or remove the file; nothing runs on a floor that can't be read.`);
  };
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    fail('it is not JSON');
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) fail('it must be a JSON object');
  const { approvals, ask, ...unknown } = value as Record<string, unknown>;
  const [name] = Object.keys(unknown);
  if (name !== undefined) fail(`${name} is no setting; there are approvals and ask`);
  if (approvals !== undefined && approvals !== 'local' && approvals !== 'anywhere') fail('approvals is "local" or "anywhere"');
  if (ask !== undefined && !(Array.isArray(ask) && ask.every((tool) => typeof tool === 'string'))) fail('ask is a list of tool names');
  return value as FloorConfig; // every field was looked at
};

/**
 * Reads the floor that the user wrote, from a file outside of any workspace; without a file it is the default one.
 *
 * @throws Error with a sentence for the user, if the file can't be read or says something else: a floor is never guessed
 */
export async function readLocalFloor(path: string): Promise<LocalFloor> {
  const text = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT') throw new Error(`${path} can't be read: ${error.message}`, { cause: error });
    return undefined;
  });
  return createLocalFloor(text === undefined ? {} : parseConfig(text, path));
}
