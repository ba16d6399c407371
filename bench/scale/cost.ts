import { setTimeout as pause } from 'node:timers/promises';
import { Crowd } from './crowd.js';
import { commandCount, commandsPer, type StoreUsage } from './store-usage.js';
import { onStage, table, type PartContext, type Stage } from './stage.js';

const SESSIONS = 20;
const TURNS = Number(process.env['SCALE_ROUNDS'] ?? '10');
const STEPS = Number(process.env['SCALE_STEPS'] ?? '20');
const BACKGROUND_MS = 10_000;
/** What a link of 1 Gbit/s carries in a second, one way. */
const LINK_BYTES = 125_000_000;

interface Cost {
  readonly commands: number;
  readonly cpuMs: number;
  readonly bytesIn: number;
  readonly bytesOut: number;
  readonly aofBytes: number;
  readonly memoryBytes: number;
}

const costOf = (usage: StoreUsage, events: number, background: Cost, ms: number): Cost => {
  const per = (value: number, each: number): number => (value - (each * ms) / 1_000) / events;
  return {
    commands: per(commandCount(usage), background.commands),
    cpuMs: per(usage.cpuMs, background.cpuMs),
    bytesIn: per(usage.bytesIn, background.bytesIn),
    bytesOut: per(usage.bytesOut, background.bytesOut),
    aofBytes: per(usage.aofBytes, background.aofBytes),
    memoryBytes: usage.memoryBytes / events,
  };
};

const NOTHING: Cost = { commands: 0, cpuMs: 0, bytesIn: 0, bytesOut: 0, aofBytes: 0, memoryBytes: 0 };

const talk = async (crowd: Crowd, turns: number): Promise<void> => {
  await Promise.all(
    Array.from({ length: SESSIONS }, async (_, n) => {
      for (let turn = 0; turn < turns; turn += 1) await crowd.say(n);
    }),
  );
};

const measure = async (stage: Stage, crowd: Crowd, background: Cost, turns: number) => {
  const [steps, ended] = [crowd.steps, crowd.turns];
  const { redis, cpu, ms } = await stage.during(() => talk(crowd, turns));
  const events = crowd.steps - steps + crowd.turns - ended; // model answers
  return { redis, cpu, events, cost: costOf(redis, events, background, ms) };
};

/** What a step (a model request, its answer, and the result of its call) costs Redis, and how many steps one Redis carries by that. */
export function cost({ store, say }: PartContext): Promise<number> {
  return onStage({ store, model: { steps: STEPS } }, async (stage) => {
    await stage.addOneOfEach();
    const crowd = new Crowd({ ws: (n) => stage.ws(n), token: (n) => stage.fleet.token(n), prefix: 'cost' });
    const opening = await stage.during(() => crowd.open(SESSIONS));
    await talk(crowd, 2); // compiled, cached
    await pause(1_000);
    const silence = await stage.during(() => pause(BACKGROUND_MS));
    const background = costOf(silence.redis, silence.ms / 1_000, NOTHING, 0);
    const { redis, cpu, events, cost: step } = await measure(stage, crowd, background, TURNS);
    const services = Object.entries(cpu).map(([name, ms]) => `${name} ${(ms / events).toFixed(2)} ms`);

    say(
      `${String(events)} steps of ${String(SESSIONS)} sessions; a session that begins: ${(commandCount(opening.redis) / SESSIONS).toFixed(0)} commands\n`,
    );
    const per = (cost: Cost): string[] => [
      cost.commands.toFixed(1),
      `${cost.cpuMs.toFixed(3)} ms`,
      `${cost.bytesIn.toFixed(0)} B`,
      `${cost.bytesOut.toFixed(0)} B`,
      `${cost.aofBytes.toFixed(0)} B`,
      `${cost.memoryBytes.toFixed(0)} B`,
    ];
    say(
      table(
        ['', 'commands', 'CPU of Redis', 'to Redis', 'from Redis', 'append-only file', 'memory that stays'],
        [
          ['a step', ...per(step)],
          ['20 sessions at rest, a second', ...per(background)],
        ],
      ),
    );
    say(`\ncommands of a step: ${commandsPer(redis, events, 40)}`);
    say(`CPU of a step: ${services.join(', ')}\n`);
    const carries = 1_000 / step.cpuMs;
    say(
      table(
        ['one Redis carries', 'steps a second'],
        [
          ['by its one core, all of it', carries.toFixed(0)],
          ['by 60 % of it, which leaves room for bursts', (0.6 * carries).toFixed(0)],
          ['by 1 Gbit/s to it', (LINK_BYTES / step.bytesIn).toFixed(0)],
          ['by 1 Gbit/s from it', (LINK_BYTES / step.bytesOut).toFixed(0)],
          ['by a disk that takes 100 MB/s', (100_000_000 / step.aofBytes).toFixed(0)],
        ],
      ),
    );
    await crowd.close();
    const { errors: faults, warnings } = await stage.fleet.logged();
    const errors = [...crowd.errors, ...faults];
    say(`logged as warnings: ${warnings}`);
    say(
      `errors: ${String(errors.length)}${errors
        .slice(0, 10)
        .map((error) => `\n- ${error}`)
        .join('')}`,
    );
    return errors.length;
  });
}
