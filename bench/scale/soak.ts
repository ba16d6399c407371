import { setTimeout as pause } from 'node:timers/promises';
import type { Memory } from '../measure/idle-connections.js';
import { Crowd } from './crowd.js';
import { kib, mib, onStage, openFiles, table, type PartContext, type Stage } from './stage.js';

/** A message so often; every so many messages one client leaves and a new one comes, with a new session. */
const MESSAGE_MS = 500;
const MESSAGES_OF_CLIENT = 10;
const CLIENTS = 20;
/** So that sessions end, rest and go all the time. */
const ENDS_SOON = {
  CODELAB_SESSION_TTL_MS: '120000',
  RUNTIME_LINGER_MS: '2000',
  RUNTIME_FREEZE_AFTER_MS: '20000',
  RUNTIME_JANITOR_INTERVAL_MS: '10000',
};
const SAMPLE_MS = 60_000;
/** After so many minutes caches are as full as they get: histories go after ten. */
const FILLED_MINUTES = 11;

interface Sample {
  readonly atMs: number;
  readonly services: readonly (Memory & { readonly files: number })[];
  readonly redis: { readonly memoryBytes: number; readonly keys: number };
}

/** Least squares: by how much values grow in a minute. */
export function slopePerMinute(samples: readonly { readonly atMs: number; readonly value: number }[]): number {
  const mean = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length;
  const [x, y] = [mean(samples.map(({ atMs }) => atMs / 60_000)), mean(samples.map(({ value }) => value))] as const;
  let above = 0;
  let below = 0;
  for (const { atMs, value } of samples) {
    above += (atMs / 60_000 - x) * (value - y);
    below += (atMs / 60_000 - x) ** 2;
  }
  return below === 0 ? 0 : above / below;
}

const takeSample = async (stage: Stage, began: number): Promise<Sample> => {
  const memory = await stage.memory();
  const files = await Promise.all(stage.fleet.services.map(({ pid }) => openFiles(pid)));
  const { memoryBytes, keys } = await stage.usage();
  return {
    atMs: performance.now() - began,
    services: memory.map((each, place) => ({ ...each, files: files[place]! })),
    redis: { memoryBytes, keys },
  };
};

/** People come, talk and go for so many minutes, at a rate that leaves the machine idle: memory, files and keys must not grow. */
export function soak({ store, minutes, say }: PartContext): Promise<number> {
  return onStage({ store, owners: 10, env: ENDS_SOON, model: { latencyMs: 100, steps: 2 } }, async (stage) => {
    await stage.addOneOfEach();
    const crowd = new Crowd({ ws: (n) => stage.ws(n), token: (n) => stage.fleet.token(n), prefix: 'soak' });
    await crowd.open(CLIENTS);
    const began = performance.now();
    const endsAt = began + minutes * 60_000;
    const samples: Sample[] = [];
    let oldest = 0;
    let next = CLIENTS;
    const talking = (async (): Promise<void> => {
      for (let message = 0; performance.now() < endsAt; message += 1) {
        const slot = message % CLIENTS;
        void crowd.say(oldest + slot);
        if (message % MESSAGES_OF_CLIENT === MESSAGES_OF_CLIENT - 1) {
          await crowd.open(1);
          await crowd.leave(oldest);
          oldest += 1;
          next += 1;
        }
        await pause(MESSAGE_MS);
      }
    })();
    while (performance.now() < endsAt) {
      await pause(Math.min(SAMPLE_MS, Math.max(0, endsAt - performance.now())));
      const sample = await takeSample(stage, began);
      samples.push(sample);
      const live = sample.services.map(({ live: bytes }, place) => `${stage.fleet.services[place]!.kind} ${mib(bytes)}`).join(', ');
      say(
        `minute ${(sample.atMs / 60_000).toFixed(1)}: ${live}, Redis ${mib(sample.redis.memoryBytes)}, ${String(sample.redis.keys)} keys`,
      );
    }
    await talking;
    await crowd.close();
    const settled = samples.filter(({ atMs }) => minutes < 2 * FILLED_MINUTES || atMs > FILLED_MINUTES * 60_000);
    const row = (name: string, unit: (value: number) => string, of: (sample: Sample) => number): string[] => {
      const values = settled.map((sample) => ({ atMs: sample.atMs, value: of(sample) }));
      const slope = slopePerMinute(values);
      return [
        name,
        unit(values[0]?.value ?? 0),
        unit(values.at(-1)?.value ?? 0),
        `${slope < 0 ? '-' : ''}${unit(Math.abs(slope))} a minute`,
      ];
    };
    const count = (value: number): string => value.toFixed(1);
    say(
      `\n${String(minutes)} minutes, ${String(next)} sessions, ${String(crowd.turns)} turns, ${String(crowd.steps)} calls; errors: ${String(crowd.errors.length)}`,
    );
    say(
      table(
        ['what', `at minute ${((settled[0]?.atMs ?? 0) / 60_000).toFixed(0)}`, 'at the end', 'slope'],
        [
          ...stage.fleet.services.flatMap(({ kind }, place) => [
            row(`${kind}: objects in use`, kib, (sample) => sample.services[place]!.live),
            row(`${kind}: resident`, kib, (sample) => sample.services[place]!.resident),
            row(`${kind}: open files`, count, (sample) => sample.services[place]!.files),
          ]),
          row('Redis: memory', kib, (sample) => sample.redis.memoryBytes),
          row('Redis: keys', count, (sample) => sample.redis.keys),
        ],
      ),
    );
    for (const error of crowd.errors.slice(0, 10)) say(`- ${error}`);
    return crowd.errors.length;
  });
}
