import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { Series } from '../report/report-data.js';
import { ChaosSystem, USUAL_SHAPE } from '../system/chaos-system.js';
import { BusyClient } from './busy-client.js';
import { startSteadyModel } from './steady-model.js';
import { STRIKES, type Strike, type StrikeScene } from './strikes.js';

const TOKEN = 'recovery-token';
/** What people have, not what makes a chaos run short. */
const USUAL_TIMES = {
  DRAIN_TIMEOUT_MS: '8000',
  GATEWAY_DRAIN_SPREAD_MS: '2000',
  GATEWAY_EXECUTOR_GRACE_MS: '5000',
  GATEWAY_PING_INTERVAL_MS: '20000',
  GATEWAY_STALLED_MS: '300000',
  GATEWAY_STORE_AWAY_MS: '60000',
  RUNTIME_LINGER_MS: '10000',
  LLM_PROXY_CONNECT_TIMEOUT_MS: '10000',
  LLM_PROXY_FIRST_TOKEN_TIMEOUT_MS: '300000',
  LLM_PROXY_IDLE_TIMEOUT_MS: '120000',
};
/** A turn goes on steadily when no silence of this length was in the last 1.5 s. */
const QUIET_MS = 1_000;
const STEADY_MS = 1_500;
/** A client takes its next loss for a first one after so long: what is measured is not how it waits for a network that flaps. */
const SETTLED_MS = 2_500;
/** Clients that say something in the moment of the kill. */
const IDLE = 3;
/** A client that has not recovered by then never does. */
const PATIENCE_MS = 30_000;

/** What is measured. */
export interface RecoveryOptions {
  /** Kills of each kind. Default 4. */
  readonly rounds?: number;
  /** Clients with a turn that goes on; each is a sample of a round. Default 6. */
  readonly clients?: number;
  /** Kinds whose names have this in them. Default: all. */
  readonly only?: string;
  /** The installation that is measured. Default: this one. */
  readonly root?: string;
  /** Hears a line about each kind when it is done. */
  readonly onSeries?: (series: Series) => void;
}

const until = async (what: string, holds: () => boolean): Promise<void> => {
  for (const deadline = performance.now() + PATIENCE_MS; !holds(); await delay(10)) {
    if (performance.now() > deadline) throw new Error(`${what} did not happen within ${String(PATIENCE_MS)} ms.`);
  }
};

/**
 * From each kind of kill until the client's turn goes on, and until new messages of other clients are acknowledged: real services, the real
 * client with its own waits, two replicas of each service, Redis with its append-only file.
 */
export async function measureRecovery({ rounds = 4, clients = 6, only = '', root, onSeries }: RecoveryOptions = {}): Promise<Series[]> {
  const folder = await mkdtemp(join(tmpdir(), 'codelab-recovery-'));
  const model = await startSteadyModel();
  const env = {
    ...USUAL_TIMES,
    CODELAB_TOKENS: `${TOKEN}=acme/ada`,
    OPENAI_BASE_URL: model.baseUrl,
    OPENAI_API_KEY: 'none',
    CODELAB_MODEL: 'scripted',
  };
  const opened: BusyClient[] = [];
  let system: ChaosSystem | undefined;
  try {
    system = await ChaosSystem.start({ shape: USUAL_SHAPE, folder: join(folder, 'system'), env, root });
    const open = async (name: string): Promise<BusyClient> => {
      const url = await system!.linkFor(name);
      const client = await BusyClient.open({ name, url, token: TOKEN, folder: join(folder, 'clients') });
      opened.push(client);
      return client;
    };
    const busy = await Promise.all(Array.from({ length: clients }, (_, n) => open(`session-${String(n + 1)}`)));
    const idle = await Promise.all(Array.from({ length: IDLE }, (_, n) => open(`session-idle-${String(n + 1)}`)));
    for (const client of busy) client.work();
    const untilSteady = (): Promise<void> => until('A steady turn', () => busy.every((client) => client.isSteady(STEADY_MS, QUIET_MS)));
    const scene: StrikeScene = { system, model, turns: busy.length, untilSteady };
    const all: Series[] = [];
    for (const strike of STRIKES.filter(({ name }) => name.includes(only))) {
      const measured = await measureStrike(strike, scene, { rounds, busy, idle });
      for (const series of measured) onSeries?.(series);
      all.push(...measured);
    }
    return all;
  } finally {
    await Promise.all(opened.map((client) => client.close()));
    await system?.stop();
    await model.close();
    await rm(folder, { recursive: true, force: true });
  }
}

interface Struck {
  readonly rounds: number;
  readonly busy: readonly BusyClient[];
  readonly idle: readonly BusyClient[];
}

async function measureStrike(strike: Strike, scene: StrikeScene, { rounds, busy, idle }: Struck): Promise<Series[]> {
  const turns: number[] = [];
  const messages: number[] = [];
  await scene.untilSteady();
  await strike.prepare?.(scene);
  for (let round = 0; round < rounds; round += 1) {
    await delay(SETTLED_MS);
    await scene.untilSteady();
    const fire = await strike.aim(scene);
    for (const client of busy) client.forget();
    const struckAt = performance.now();
    fire();
    const acknowledged = Promise.all(idle.map((client) => client.say()));
    await delay(STEADY_MS); // what is steady now was steady before
    await scene.untilSteady();
    turns.push(...busy.flatMap((client) => client.silenceMs(struckAt) ?? []));
    messages.push(...(await acknowledged));
    await strike.heal(scene);
  }
  const { name, aimMs, note } = strike;
  return [
    { name, samples: turns, note, aimMs },
    { name: `${name}: new message`, samples: messages, note: 'until it is acknowledged', aimMs },
  ];
}
