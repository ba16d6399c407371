/** Run as a program: `command` makes a turn whose command changes files and does not end, `undo` undoes a turn; until it is killed. */
import { openWorkspace } from '../src/open-workspace.js';

const [what, root, dataDir] = process.argv.slice(2) as ['command' | 'undo', string, string];
const workspace = await openWorkspace({ root, dataDir });
const command =
  'echo new > changed; rm deleted; echo x > made; echo ready; while [ -e ../outside ] && [ ! -e ../outside/stop ]; do sleep 0.05; done';
if (what === 'command') {
  const options = { callId: 'call_1', turnId: 'turn_1', approved: true, onOutput: () => process.send?.('ready') };
  await workspace.run('run_command', { command }, { signal: new AbortController().signal, ...options });
} else {
  process.send?.('ready');
  await workspace.undo.restore('turn_1');
  setInterval(() => undefined, 1_000); // stays until it is killed
}
