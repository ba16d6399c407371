import { fileURLToPath } from 'node:url';
import { runUp } from '../run-up.js';

const fake = fileURLToPath(new URL('./fake-service.mjs', import.meta.url));
const words = process.argv.slice(2);

runUp(
  { gateways: 2, runtimes: 1, proxies: 1, json: true, whileHeld: words.includes('--while-held') },
  { gateway: fake, 'agent-runtime': fake, 'llm-proxy': fake },
).catch((error: Error & { exitCode?: number }) => {
  process.stderr.write(`${error.message}\n`);
  process.exitCode = error.exitCode ?? 1;
});
