import { setTimeout as pause } from 'node:timers/promises';
import { Crowd } from './crowd.js';
import { onStage, table, type PartContext } from './stage.js';

/** Runtimes in turn; sessions that one holds at the most; how long the model takes; calls of a turn. */
const RUNTIMES = (process.env['SCALE_RUNTIMES'] ?? '1,2,4').split(',').map(Number);
const HOT = 40;
const MODEL_MS = 2_000;
const STEPS = 4;
const WARM_UP_MS = 10_000;
const MEASURE_MS = Number(process.env['SCALE_MEASURE_MS'] ?? '30000');

/**
 * Steps in a second with more and more runtimes. Each holds so few sessions that the model's time decides, not this machine's cores: what is
 * seen is whether runtimes stand in each other's way. There is always more to do than they can hold.
 */
export function throughput({ store, say }: PartContext): Promise<number> {
  const most = Math.max(...RUNTIMES);
  const sessions = Math.ceil(1.5 * most * HOT);
  const env = { RUNTIME_MAX_HOT_SESSIONS: String(HOT), LLM_PROXY_CONCURRENCY: String(sessions) };
  const rows: string[][] = [];
  let errors = 0;
  let first = 0;
  const measure = (runtimes: number): Promise<void> =>
    onStage({ store, owners: 20, env, model: { latencyMs: MODEL_MS, steps: STEPS } }, async (stage) => {
      await stage.addOneOfEach();
      for (let n = 1; n < runtimes; n += 1) await stage.fleet.add('agent-runtime');
      const crowd = new Crowd({ ws: (n) => stage.ws(n), token: (n) => stage.fleet.token(n), prefix: 'through' });
      await crowd.open(sessions);
      let isOver = false;
      const talking = Array.from({ length: sessions }, async (_, n) => {
        while (!isOver) await crowd.say(n);
      });
      await pause(WARM_UP_MS);
      const [turns, answered] = [crowd.turns, crowd.steps + crowd.turns];
      const { cpu, ms } = await stage.during(() => pause(MEASURE_MS));
      const perSecond = ((crowd.steps + crowd.turns - answered) * 1_000) / ms;
      const ended = crowd.turns - turns;
      isOver = true;
      errors += crowd.errors.length + (await stage.fleet.logged()).errors.length;
      for (const error of crowd.errors.slice(0, 5)) say(`- ${error}`);
      first ||= perSecond;
      const ideal = (runtimes * HOT * 1_000) / MODEL_MS;
      const share = (part = 0): string => `${((100 * part) / ms).toFixed(0)} %`;
      rows.push([
        String(runtimes),
        perSecond.toFixed(1),
        `${(perSecond / first).toFixed(2)} ×`,
        ideal.toFixed(0),
        String(ended),
        share(cpu['agent-runtime']),
        share(cpu['redis']),
      ]);
      void Promise.allSettled(talking);
    });
  return (async () => {
    for (const runtimes of RUNTIMES) await measure(runtimes);
    say(
      `${String(sessions)} sessions in turns of ${String(STEPS)} calls, a model that takes ${String(MODEL_MS / 1_000)} s, ${String(HOT)} sessions to a runtime:\n`,
    );
    say(
      table(
        ['runtimes', 'model answers/s', 'to the first row', 'if nothing else took time', 'turns ended', 'CPU, runtimes', 'CPU, Redis'],
        rows,
      ),
    );
    say(`errors: ${String(errors)}`);
    return errors;
  })();
}
