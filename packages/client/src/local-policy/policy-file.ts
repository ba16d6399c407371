import { readFile } from 'node:fs/promises';
import { parseOwnFile } from './parse-own-file.js';

/** A local policy as its file says it. */
export interface LocalPolicyConfig {
  /**
   * Whose approvals count for commands, deletions and paths that always ask (`.git/`, hooks, editor, agent and CI configuration, `.env*`).
   * `local`, the default: only those made at this client. `anywhere`: those of every approver of the session, and the servers' rules.
   */
  readonly approvals?: 'local' | 'anywhere';
  /** Tools that are asked about at this client in any case; `*` is all of them. */
  readonly ask?: readonly string[];
}

const parseConfig = (text: string, path: string): LocalPolicyConfig => {
  const { fields, refuse } = parseOwnFile(text, path);
  const { approvals, ask, ...unknown } = fields;
  const [name] = Object.keys(unknown);
  if (name !== undefined) refuse(`${name} is no setting; there are approvals and ask`);
  if (approvals !== undefined && approvals !== 'local' && approvals !== 'anywhere') refuse('approvals is "local" or "anywhere"');
  if (ask !== undefined && !(Array.isArray(ask) && ask.every((tool) => typeof tool === 'string'))) refuse('ask is a list of tool names');
  return fields; // every field was looked at
};

/**
 * Reads what the user wrote, from a file outside of any workspace; without a file nothing is said.
 *
 * @throws Error with a sentence for the user, if the file can't be read or says something else: a policy is never guessed
 */
export async function readPolicyFile(path: string): Promise<LocalPolicyConfig> {
  const text = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT') throw new Error(`${path} can't be read: ${error.message}`, { cause: error });
    return undefined;
  });
  return text === undefined ? {} : parseConfig(text, path);
}
