/**
 * Counts the files of ours that one frame passes on the servers: those of which a function runs between the model's answer and the client's
 * socket (`tool_call`), and between that socket and the model's next request (`tool_result`). What runs in each of several steps counts, so
 * that timers which happen to fire don't.
 */
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { WebSocket } from 'ws';
import { startSystem, type System } from '../tests/e2e/start-system.js';
import { holdModel } from './journey/hold-model.js';

const SERVICES = ['gateway', 'agent-runtime', 'llm-proxy'] as const;
const STEPS = 6;
/** What follows an answer within this time (an acknowledgement of a stream, a log line) belongs to it. */
const AFTERMATH_MS = 50;

const folder = await mkdtemp(join(tmpdir(), 'codelab-journey-'));
const counter = fileURLToPath(new URL('journey/count.cjs', import.meta.url));
const unbundled = new URL('journey/unbundled.mjs', import.meta.url).href;

let taken = 0;
/** The files of which a function ran since the last call, by service. */
async function takeFiles(system: System): Promise<Set<string>[]> {
  await pause(AFTERMATH_MS);
  const pids = [system.gateways, system.runtimes, system.proxies].map(([process]) => process?.pid ?? 0);
  for (const pid of pids) process.kill(pid, 'SIGUSR2');
  const number = String(taken++);
  return Promise.all(
    SERVICES.map(async (service) => {
      const file = join(folder, `${service}.${number}.json`);
      while (!existsSync(file)) await pause(5);
      return new Set(JSON.parse(await readFile(file, 'utf8')) as string[]);
    }),
  );
}

const inAll = (steps: readonly Set<string>[]): string[] => [...(steps[0] ?? [])].filter((file) => steps.every((step) => step.has(file)));

function print(title: string, steps: readonly Set<string>[][]): void {
  const files = SERVICES.map((_, index) => inAll(steps.map((step) => step[index] ?? new Set())));
  process.stdout.write(`\n${title}: ${String(new Set(files.flat()).size)} files\n`);
  for (const [index, service] of SERVICES.entries()) {
    process.stdout.write(`  ${service}: ${String(files[index]?.length)}\n`);
    if (process.argv.includes('--list')) for (const file of files[index]!.sort()) process.stdout.write(`    ${file}\n`);
  }
}

const model = await holdModel();
const system = await startSystem({
  env: {
    NODE_OPTIONS: `--require ${counter} --import ${unbundled}`,
    BENCH_JOURNEY_DIR: folder,
    OPENAI_BASE_URL: model.url,
    OPENAI_API_KEY: 'x',
    CODELAB_MODEL: 'bench',
  },
});
try {
  const socket = new WebSocket(`${system.gateways[0]?.ws ?? ''}/journey`, { headers: { authorization: `Bearer ${system.token}` } });
  const calls: string[] = [];
  let heard: (() => void) | undefined;
  socket.on('message', (data) => {
    const frame = JSON.parse((data as Buffer).toString()) as { type: string; call_id: string };
    if (frame.type === 'tool_call') calls.push(frame.call_id);
    heard?.();
  });
  await once(socket, 'open');
  const hello = { type: 'hello', protocol_versions: ['2.0'], client_id: '6f9619ff-8b86-4d01-b42d-00cf4fc964ff', tools: ['read_file'] };
  for (const frame of [hello, { type: 'user_message', content: 'go on' }]) socket.send(JSON.stringify(frame));
  const outward: Set<string>[][] = [];
  const inward: Set<string>[][] = [];
  for (let step = 0; step < STEPS; step += 1) {
    const answer = await model.asked();
    if (step > 0) inward.push(await takeFiles(system));
    else await takeFiles(system);
    answer();
    while (calls.length === 0) await new Promise<void>((resolve) => (heard = resolve));
    outward.push(await takeFiles(system));
    socket.send(JSON.stringify({ type: 'tool_result', call_id: calls.shift(), result: { content: 'x', encoding: 'utf-8' } }));
  }
  await model.asked();
  print('tool_call, from the answer of the model to the socket', outward.slice(2)); // the first ones do what is done once a session
  print('tool_result, from the socket to the request to the model', inward.slice(1));
  socket.terminate();
} finally {
  await system.stop();
  model.close();
  await rm(folder, { recursive: true, force: true });
}
