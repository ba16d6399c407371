import { setTimeout as pause } from 'node:timers/promises';
import { startProcess } from '../start-processes.js';
import { LOOK_MS, startBalancer } from './balancer.js';
import { BusyPerson, BusyProgram, Tally } from './busy-people.js';
import { Fleet, type Service, type ServiceKind } from './fleet.js';
import type { StoreKind } from './store.js';

export interface RollOptions {
  readonly store?: StoreKind;
  /** Each in turns that follow each other, and half as many programs beside them. */
  readonly people: number;
  /** How often each service is replaced. */
  readonly rounds: number;
  /** Between two changes. */
  readonly pauseMs: number;
  /** How long the model takes for an answer. */
  readonly modelMs: number;
  /** Whether balancers are told before a replica is, as Kubernetes does. Otherwise they find out by asking. */
  readonly tellsBalancers: boolean;
  /** For the services. */
  readonly env?: Readonly<Record<string, string>>;
}

/** What came of it. */
export interface RollOutcome extends Pick<Tally, 'turns' | 'calls' | 'answers' | 'reconnections' | 'errors'> {
  /** Replicas that were added, and that left in order. */
  readonly added: number;
  readonly drained: number;
}

const KINDS: readonly ServiceKind[] = ['gateway', 'agent-runtime', 'llm-proxy'];

/**
 * Adds and drains gateways, runtimes and proxies while people and programs work: one more comes, the oldest goes. From the first message to
 * the last nobody may see an error.
 */
export async function rollServices({
  store,
  people,
  rounds,
  pauseMs,
  modelMs,
  tellsBalancers,
  env: more,
}: RollOptions): Promise<RollOutcome> {
  const model = await startProcess('scale/slow-model.ts', { SCALE_MODEL_MS: String(modelMs), SCALE_MODEL_STEPS: '3' });
  const env = { OPENAI_BASE_URL: `http://127.0.0.1:${String(model.port)}/v1`, OPENAI_API_KEY: 'none', CODELAB_MODEL: 'slow' };
  const fleet = await Fleet.start({ store, env: { ...env, ...more } });
  const leaving = new Set<Service>();
  const tally = new Tally();
  const outcome = { added: 0, drained: 0 };
  const closing: (() => Promise<unknown>)[] = [() => fleet.stop(), () => model.stop()];
  try {
    await Promise.all(KINDS.map((kind) => fleet.add(kind)));
    const portsOf = (kind: ServiceKind) => (): number[] =>
      fleet
        .of(kind)
        .filter((service) => !leaving.has(service))
        .map(({ port }) => port);
    const [gateways, proxies] = [await startBalancer(portsOf('gateway')), await startBalancer(portsOf('llm-proxy'))];
    closing.unshift(
      () => gateways.close(),
      () => proxies.close(),
    );
    const place = { url: `ws://127.0.0.1:${String(gateways.port)}/ws`, token: fleet.token(), folder: fleet.folder };
    const persons = await Promise.all(
      Array.from({ length: people }, (_, n) => BusyPerson.open({ ...place, name: `person-${String(n)}` }, tally)),
    );
    closing.unshift(() => Promise.all(persons.map((person) => person.close())));
    const proxyUrl = `http://127.0.0.1:${String(proxies.port)}`;
    const programs = Array.from({ length: Math.ceil(people / 2) }, () => new BusyProgram(proxyUrl, fleet.token(), tally));
    const working = Promise.all([...persons, ...programs].map((one) => one.work()));
    for (let round = 0; round < rounds; round += 1) {
      for (const kind of KINDS) {
        await pause(pauseMs);
        await fleet.add(kind);
        outcome.added += 1;
        await pause(pauseMs);
        const oldest = fleet.of(kind)[0]!;
        if (tellsBalancers) {
          leaving.add(oldest);
          await pause(2 * LOOK_MS);
        }
        const code = await oldest.drain();
        if (code === 0) outcome.drained += 1;
        else tally.errors.push(`${kind} ended with ${String(code)}`);
      }
    }
    await pause(pauseMs);
    for (const one of [...persons, ...programs]) one.rest();
    await working;
    tally.errors.push(...(await fleet.logged()).errors);
    const { turns, calls, answers, reconnections, errors } = tally;
    return { turns, calls, answers, reconnections, errors, ...outcome };
  } finally {
    for (const close of closing) await close();
  }
}
