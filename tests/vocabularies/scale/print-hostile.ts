import { runHostile } from './hostile.js';

// node --conditions=codelab-source --import ./scripts/register-swc.mjs tests/vocabularies/scale/print-hostile.ts [file] [edit]
const [file = '', edit = ''] = process.argv.slice(2);
const costs = await runHostile((one, other) => one.includes(file) && other.includes(edit));
for (const cost of costs.toSorted((one, other) => other.cpu - one.cpu).slice(0, 30))
  process.stdout.write(`${String(cost.cpu)} ms: ${cost.edit}, ${cost.file}: ${cost.outcome}\n`);
process.stdout.write(`${String(costs.length)} edits, ${String(Math.round(process.resourceUsage().maxRSS / 1024))} MB\n`);
