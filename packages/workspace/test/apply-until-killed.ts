/** Run as a program: turns all files of a workspace from `a` to `b` and back, one patch each, until it is killed. */
import { openWorkspace } from '../src/open-workspace.js';

const [root, dataDir, count] = process.argv.slice(2) as [string, string, string];
const patch = (from: string, to: string): string =>
  Array.from(
    { length: Number(count) },
    (_, index) => `--- a/f${String(index)}\n+++ b/f${String(index)}\n@@ -1 +1 @@\n-${from}\n+${to}\n`,
  ).join('');
const workspace = await openWorkspace({ root, dataDir });
process.send?.('ready');
for (let round = 0; ; round += 1) {
  const [from, to] = round % 2 === 0 ? ['a', 'b'] : ['b', 'a'];
  const args = { diff: patch(from, to), allow_dirty: true };
  const answer = await workspace.run('apply_patch', args, { signal: new AbortController().signal, callId: `call_${String(round)}` });
  if (!answer.ok) throw new Error(answer.error.message);
}
