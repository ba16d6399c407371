import { randomUUID } from 'node:crypto';
import type { Workspace } from '@codelab/workspace';
import { CommandError } from '../../../core/command-error.js';
import { renderChanges, renderSessionChanges, type Changes } from '../../../core/diff/render-changes.js';
import type { CommandEffect } from './command-effect.js';

/** A large repository may take a while; nobody waits longer for a page. */
const TIMEOUT_MS = 20_000;

/** Shows what has changed on a screen of its own: since the last commit, or by the calls of this conversation. */
export const showChanges: CommandEffect = (chat) => async (text) => {
  const { console } = chat;
  if (text === 'session')
    return console.page({
      title: 'what this conversation changed',
      rows: renderSessionChanges(console.state.view.items, console.look()),
      top: 0,
    });
  const changes = await readChanges((await chat.connected()).workspace);
  console.page({ title: 'what has changed since the last commit', rows: renderChanges(changes, console.look()), top: 0 });
};

/** Reads both sides with the tool that models use, which runs nothing that a repository names. Throws `CommandError`. */
async function readChanges(workspace: Workspace): Promise<Changes> {
  const signal = AbortSignal.timeout(TIMEOUT_MS);
  const read = async (which: object): Promise<Readonly<Record<string, unknown>>> => {
    const outcome = await workspace.run('git.diff', { path: '.', ...which }, { signal, callId: randomUUID() });
    if (outcome.ok) return outcome.result;
    if (outcome.error.code === 'GIT_NOT_INITIALIZED')
      throw new CommandError('This folder is not under git: /diff session shows what the calls of this conversation changed.');
    throw new CommandError(outcome.error.message);
  };
  const [staged, unstaged] = [await read({ staged: true }), await read({ untracked: true })];
  const leftOut = unstaged['left_out'];
  return {
    staged: String(staged['diff']),
    unstaged: String(unstaged['diff']),
    leftOut: Array.isArray(leftOut) ? leftOut.map(String) : [],
  };
}
