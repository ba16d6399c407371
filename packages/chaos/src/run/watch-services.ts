import type { ProbeTruth } from '../recording/chaos-event.js';
import type { ChaosSystem, ChaosService } from '../system/chaos-system.js';
import { MasterWatch } from './watch-masters.js';

/** Between two looks at all services. */
const LOOK_MS = 300;
/** How long a service may take to notice that Redis went or came: a check every 2 s, and a command's 5 s. */
const NOTICE_MS = 8_000;
/** How long it may take to answer; a machine with much to do is slow. */
const ANSWER_MS = 4_000;

/** Asks each service again and again whether it lives and is ready, and records the answers beside what is known. Returns what ends it. */
export function watchServices(system: ChaosSystem): () => Promise<void> {
  let isOver = false;
  const masters = new MasterWatch(system);
  const again = async (look: () => Promise<unknown>): Promise<void> => {
    while (!isOver) {
      await look();
      if (!isOver) await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
    }
  };
  // Apart from each other: a service may take its time to answer, and a store that changes its mind twice meanwhile is to be seen twice.
  const watched = Promise.all([
    again(() => masters.look()),
    again(() => Promise.all(system.services.map((service) => look(system, service, masters)))),
  ]);
  return async () => {
    isOver = true;
    await watched;
    await masters.look(); // what happened since the last look is judged, too
  };
}

async function look(system: ChaosSystem, service: ChaosService, masters: MasterWatch): Promise<void> {
  for (const path of ['/health', '/ready'] as const) {
    const before = truthOf(system, service, path, masters);
    let answer = await probe(service, path);
    if (answer.status === 0) answer = await probe(service, path); // a machine with much to do, most of the time
    const truth = truthOf(system, service, path, masters) === before ? before : 'unsure';
    if (answer.status === 0 && truth === 'unsure') continue; // nothing was there, as could be
    system.record({ kind: 'probe', target: service.name, path, truth, ...answer });
  }
}

async function probe({ port }: ChaosService, path: string): Promise<{ readonly status: number; readonly detail?: string }> {
  try {
    const response = await fetch(`http://127.0.0.1:${String(port.value)}${path}`, { signal: AbortSignal.timeout(ANSWER_MS) });
    return { status: response.status, detail: (await response.text()).slice(0, 300) };
  } catch {
    return { status: 0 };
  }
}

/** What is known for certain about a service at this moment. */
function truthOf({ store }: ChaosSystem, { name, process }: ChaosService, path: '/health' | '/ready', masters: MasterWatch): ProbeTruth {
  if (process.state !== 'up' && process.state !== 'down') return 'unsure';
  if (process.state === 'down') return process.forMs > ANSWER_MS ? 'unable' : 'unsure';
  if (process.forMs < NOTICE_MS) return 'unsure';
  if (path === '/health') return 'able';
  // docs/operations.md: each service writes a small key, and is not ready while that is refused.
  if (store.kind === 'single' && store.servers.some(({ fullMs }) => fullMs > NOTICE_MS)) return 'unable';
  if (Math.min(store.linkOf(name)?.soundMs ?? Infinity, masters.steadyMs, ...store.servers.map(({ roomyMs }) => roomyMs)) < NOTICE_MS)
    return 'unsure';
  const states = store.servers.map((server) => server.process);
  if (states.every(({ state, forMs }) => state === 'up' && forMs > NOTICE_MS)) return 'able';
  return store.kind === 'single' && states.some(({ state, forMs }) => state !== 'up' && forMs > NOTICE_MS) ? 'unable' : 'unsure';
}

/** Resolves when all services say that they are ready; throws after `withinMs`. */
export async function untilReady(system: ChaosSystem, withinMs: number): Promise<void> {
  const isReady = async (service: ChaosService): Promise<boolean> =>
    service.process.state === 'up' && (await probe(service, '/ready')).status === 200;
  for (const deadline = performance.now() + withinMs; ; await new Promise((resolve) => setTimeout(resolve, 50))) {
    const ready = await Promise.all(system.services.map(isReady));
    if (ready.every(Boolean)) return;
    const missing = system.services.filter((_, index) => !ready[index]).map(({ name }) => name);
    if (performance.now() > deadline) throw new Error(`${missing.join(', ')} did not become ready within ${String(withinMs)} ms.`);
  }
}
