import { setTimeout as pause } from 'node:timers/promises';
import { Crowd } from './crowd.js';
import { commandCount, commandsPer } from './store-usage.js';
import { kib, onStage, table, until, type PartContext } from './stage.js';

const TURNS = Number(process.env['SCALE_TURNS'] ?? '2000');
const OWNERS = 100;
const QUIET_MS = 20_000;

/** Turns that all wait for a slow model at once: what each costs while it waits, and that every one of them ends when the model answers. */
export function waiting({ store, say }: PartContext): Promise<number> {
  const env = { RUNTIME_MAX_HOT_SESSIONS: String(2 * TURNS), LLM_PROXY_CONCURRENCY: String(TURNS), RUNTIME_LINGER_MS: '2000' };
  return onStage({ store, owners: OWNERS, env, model: { steps: 1 } }, async (stage) => {
    await stage.addOneOfEach();
    const crowd = new Crowd({ ws: (n) => stage.ws(n), token: (n) => stage.fleet.token(n), prefix: 'waits' });
    await crowd.open(TURNS);
    await Promise.all(Array.from({ length: Math.min(200, TURNS) }, (_, n) => crowd.say(n))); // each has done its work once
    const before = await stage.memory();
    const redisBefore = await stage.usage();

    await stage.tellModel('hold');
    const began = performance.now();
    const turns = Promise.all(Array.from({ length: TURNS }, (_, n) => crowd.say(n)));
    await until(`${String(TURNS)} model requests wait`, async () => (await stage.tellModel('waiting')) >= TURNS);
    const allMs = performance.now() - began;
    const during = await stage.memory();
    const redisDuring = await stage.usage();
    const quiet = await stage.during(() => pause(QUIET_MS));
    const stillWait = await stage.tellModel('waiting');
    const released = performance.now();
    const end = await stage.during(async () => {
      await stage.tellModel('release');
      await turns;
    });
    const endMs = performance.now() - released;
    const after = await stage.memory();

    say(
      `${String(TURNS)} turns that wait for a model at once, one of each service; all of them waited after ${(allMs / 1_000).toFixed(1)} s, ${String(stillWait)} of them 30 s later:\n`,
    );
    const each = (bytes: number): string => kib(bytes / TURNS);
    say(
      table(
        ['for each turn that waits', 'objects in use', 'resident', 'in use when all are over'],
        [
          ...stage.fleet.services.map(({ kind }, at) => [
            kind,
            each(during[at]!.live - before[at]!.live),
            each(during[at]!.resident - before[at]!.resident),
            each(after[at]!.live - before[at]!.live),
          ]),
          ['Redis', each(redisDuring.memoryBytes - redisBefore.memoryBytes), '–', '–'],
        ],
      ),
    );
    const seconds = quiet.ms / 1_000;
    const share = (ms = 0): string => `${((100 * ms) / quiet.ms).toFixed(1)} %`;
    say(
      `\nwhile they wait: ${(commandCount(quiet.redis) / seconds / TURNS).toFixed(2)} commands a second for each; of a core: gateway ${share(quiet.cpu['gateway'])}, runtime ${share(quiet.cpu['agent-runtime'])}, proxy ${share(quiet.cpu['llm-proxy'])}, Redis ${share(quiet.cpu['redis'])}`,
    );
    say(`commands a second for each: ${commandsPer(quiet.redis, seconds * TURNS)}`);
    say(
      `the model answers all at once: the last turn ended ${(endMs / 1_000).toFixed(1)} s later, each after ${String(Math.round(crowd.steps / crowd.turns))} call; CPU of Redis ${(end.redis.cpuMs / TURNS).toFixed(2)} ms each`,
    );
    await crowd.close();
    const { errors: faults, warnings } = await stage.fleet.logged();
    const errors = [...crowd.errors, ...faults];
    if (crowd.turns !== TURNS + Math.min(200, TURNS)) errors.push(`${String(crowd.turns)} turns ended`);
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
