import { rm } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';
import { expect, test } from 'vitest';
import fc from 'fast-check';
import { eventually, verifies } from '@codelab/testkit';
import { LinkedGateway, type Mood } from '../test/linked-gateway.js';
import { makeClient, makeFolder, ScriptedExecutor, type TestClient } from '../test/support.js';

/** One thing that happens, to one call or to the connection. */
type Step =
  | { readonly kind: 'open' | 'approve' | 'cancel' | 'finish'; readonly call: number }
  | ({ readonly kind: 'repeat' | 'drop' | 'restart' } & Mood)
  | { readonly kind: 'wait'; readonly turns: number };

const call = fc.integer({ min: 0, max: 4 });
const steps = fc.array(
  fc.oneof(
    { weight: 6, arbitrary: fc.record({ kind: fc.constantFrom('open', 'approve', 'finish'), call }) },
    { weight: 1, arbitrary: fc.record({ kind: fc.constant('cancel'), call }) },
    {
      weight: 4,
      arbitrary: fc.record({
        kind: fc.constantFrom('repeat', 'repeat', 'drop', 'restart'),
        replays: fc.boolean(),
        turn: fc.nat(4),
        times: fc.integer({ min: 1, max: 3 }),
      }),
    },
    { weight: 3, arbitrary: fc.record({ kind: fc.constant('wait'), turns: fc.integer({ min: 1, max: 6 }) }) },
  ),
  { minLength: 4, maxLength: 40 },
);

/** Calls 1 and 3 are asked about. */
const isAsked = (at: number): boolean => at % 2 === 1;

/** The effects of one run, and whether each had its approval when it began. */
class Effects {
  readonly begun: string[] = [];
  readonly unapproved: string[] = [];
  private readonly gates = new Map<string, () => void>();
  private isOver = false;

  constructor(private readonly gateway: LinkedGateway) {}

  readonly executor = (): ScriptedExecutor =>
    new ScriptedExecutor({
      write_file: (_args, { callId, signal }) => {
        this.begun.push(callId);
        if (this.gateway.calls.get(callId)?.approved !== true) this.unapproved.push(callId);
        return new Promise((resolve) => {
          const end = (): void => resolve({ ok: true, result: {} });
          if (this.isOver) return end();
          this.gates.set(callId, end);
          signal.addEventListener('abort', end);
        });
      },
    });

  finish(callId: string): void {
    this.gates.get(callId)?.();
  }

  finishAll(): void {
    this.isOver = true;
    for (const end of this.gates.values()) end();
  }
}

const play = async (script: readonly Step[]): Promise<void> => {
  const cleanups: (() => Promise<unknown>)[] = [];
  const folder = await makeFolder(cleanups);
  const gateway = new LinkedGateway();
  const effects = new Effects(gateway);
  const startClient = (): TestClient =>
    makeClient({ url: 'ws://linked/ws' }, folder, { sessionId: 's1', openSocket: gateway.openSocket, executor: effects.executor() });
  let { client } = startClient();
  await client.connect();
  try {
    for (const step of script) {
      if (step.kind === 'wait') await delay(step.turns);
      else if (step.kind === 'open') gateway.open(`c${step.call}`, isAsked(step.call));
      else if (step.kind === 'approve') gateway.approve(`c${step.call}`);
      else if (step.kind === 'cancel') gateway.cancel(`c${step.call}`);
      else if (step.kind === 'finish') effects.finish(`c${step.call}`);
      else if ('turn' in step) {
        gateway.mood = step;
        if (step.kind === 'repeat') gateway.repeat();
        else if (step.kind === 'drop') gateway.drop();
        else {
          gateway.isAway = step.times > 1; // then its last answers are in the journal only
          if (gateway.isAway) gateway.drop();
          await client.close();
          gateway.isAway = false;
          ({ client } = startClient());
          await client.connect();
        }
      }
    }
    effects.finishAll();
    for (let at = 0; at < 5; at += 1) gateway.approve(`c${at}`);
    await eventually('every call is answered', () => [...gateway.calls.values()].every(({ state }) => state === 'answered'));
  } finally {
    effects.finishAll();
    await client.close();
    for (const cleanup of cleanups) await cleanup();
    await rm(folder, { recursive: true, force: true });
  }
  expect(effects.begun).toEqual([...new Set(effects.begun)]);
  expect(effects.unapproved).toEqual([]);
};

test(
  verifies(
    'R2:client-once',
    'whatever comes twice, out of order, after a loss or a restart: an unsafe call takes effect at most once, and is answered',
  ),
  async () => {
    await fc.assert(fc.asyncProperty(steps, play), { numRuns: 60 });
  },
);
