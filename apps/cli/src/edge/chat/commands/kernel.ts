import { findKernel, type Workspace } from '@codelab/workspace';
import type { CommandEffect } from './command-effect.js';

/** Tells of the kernel that cells run in, and restarts or interrupts it. It is this machine's, so no model is asked. */
export const steerKernel: CommandEffect = (chat) => async (text) => {
  const { workspace, client } = await chat.connected();
  const { kernels } = workspace;
  const { sessionId } = client;
  if (text === 'interrupt') return chat.say(kernels.interrupt(sessionId) ? 'The cell is interrupted.' : 'No cell runs.');
  if (text === 'restart') {
    const had = kernels.stateOf(sessionId).kind !== 'none';
    await kernels.end(sessionId);
    return chat.say(
      had ? 'The kernel has ended; the next cell starts a new one, without variables.' : 'No kernel runs: the first cell starts one.',
    );
  }
  chat.say(await describe(workspace, sessionId));
};

async function describe({ kernels, root, tools }: Workspace, sessionId: string): Promise<string> {
  const state = kernels.stateOf(sessionId);
  if (state.kind !== 'none')
    return `${state.display}: ${state.kind === 'busy' ? 'runs a cell' : 'idle'}, ${String(state.cells)} ${state.cells === 1 ? 'cell' : 'cells'} so far, process ${String(state.pid)}.`;
  if (tools.includes('kernel.execute')) return 'No kernel runs: the first cell starts one.';
  const found = await findKernel(root);
  return found === undefined
    ? 'No kernel is installed: pip install ipykernel (Debian, Ubuntu: apt install python3-ipykernel), then start the chat again.'
    : 'A kernel has come since this chat began: start it again, and cells can be run.';
}
