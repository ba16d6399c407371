/** Run as a program: turns all files of a workspace from `a` to `b` in one patch, and kills itself once so many of them have their new content. */
import promises from 'node:fs/promises';
import { syncBuiltinESMExports } from 'node:module';
import { basename } from 'node:path';

const [root, dataDir, count, last] = process.argv.slice(2) as [string, string, string, string];
const { rename } = promises;
let changed = 0;
promises.rename = async (from, to) => {
  await rename(from, to);
  if (!/^f\d+$/.test(basename(String(to)))) return;
  changed += 1;
  if (changed === Number(last)) process.kill(process.pid, 'SIGKILL');
};
syncBuiltinESMExports(); // what is imported from now on takes that one

const { openWorkspace } = await import('../src/open-workspace.js');
const workspace = await openWorkspace({ root, dataDir });
const diff = Array.from(
  { length: Number(count) },
  (_, index) => `--- a/f${String(index)}\n+++ b/f${String(index)}\n@@ -1 +1 @@\n-a\n+b\n`,
).join('');
const args = { diff, allow_dirty: true };
const answer = await workspace.run('apply_patch', args, { signal: new AbortController().signal, callId: 'call_0' });
throw new Error(`The patch came to its end: ${JSON.stringify(answer)}`);
