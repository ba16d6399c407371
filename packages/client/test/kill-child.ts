/**
 * A client in a process of its own, to be killed: `kill-child.ts <url> <journalDir> <effects file> <stop>`. Its `write_file` adds a line to
 * the effects file. At the point named by `stop` it says so on stdout and waits for ever.
 */
import { appendFile } from 'node:fs/promises';
import { CodeLabClient, type ToolOutcome } from '../src/index.js';

const [url = '', journalDir = '', effects = '', stop = ''] = process.argv.slice(2);

const reach = async (point: string): Promise<void> => {
  if (point !== stop) return;
  process.stdout.write(`${point}\n`);
  await new Promise(() => undefined);
};

const client = new CodeLabClient({
  url,
  token: 'token-1',
  sessionId: 's1',
  clientId: '6f6c1de2-26a5-4a4b-8f8e-4c1d6a3b2f10',
  client: { name: 'child', version: '1' },
  journalDir,
  backoff: { firstMs: 5, maxMs: 20, factor: 2 },
  executor: {
    tools: ['write_file'],
    preview: () => Promise.resolve(undefined),
    run: async (_tool, args, { callId }): Promise<ToolOutcome> => {
      await reach('begun');
      await appendFile(effects, `${callId}\n`);
      await reach('effected');
      return { ok: true, result: { wrote: args['path'] } };
    },
  },
});

setInterval(() => undefined, 1_000); // stays until it is killed
await client.connect();
