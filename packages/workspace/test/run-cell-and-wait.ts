import { openWorkspace } from '../src/open-workspace.js';

// Runs a cell in a kernel, prints what came of it, and lives on. Arguments: root, data directory, code.
const [root, dataDir, code] = process.argv.slice(2) as [string, string, string];
const workspace = await openWorkspace({ root, dataDir });
const signal = new AbortController().signal;
const outcome = await workspace.run('kernel.execute', { code }, { signal, callId: 'c', sessionId: 's', approved: true });
process.stdout.write(`${JSON.stringify(outcome)}\n`);
if (process.argv[5] !== 'end') setInterval(() => undefined, 1_000);
