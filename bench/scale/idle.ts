import { setTimeout as pause } from 'node:timers/promises';
import { Crowd } from './crowd.js';
import { commandCount, commandsPer } from './store-usage.js';
import { kib, onStage, table, type PartContext } from './stage.js';

const CONNECTIONS = Number(process.env['SCALE_CONNECTIONS'] ?? '10000');
const OWNERS = 100;
const QUIET_MS = 20_000;

/** What connections cost that say nothing: memory of each service and of Redis for each, and what keeps running because of them. */
export function idle({ store, say }: PartContext): Promise<number> {
  return onStage({ store, owners: OWNERS }, async (stage) => {
    await stage.addOneOfEach();
    const place = { ws: (n: number) => stage.ws(n), token: (n: number) => stage.fleet.token(n) };
    const warm = new Crowd({ ...place, prefix: 'warm' });
    await warm.open(Math.min(1_000, CONNECTIONS)); // what a process keeps anyway is there then
    await warm.close();
    const empty = await stage.memory();
    const redisEmpty = await stage.usage();

    const crowd = new Crowd({ ...place, prefix: 'idle' });
    const opening = await stage.during(() => crowd.open(CONNECTIONS));
    const full = await stage.memory();
    const redisFull = await stage.usage();
    const quiet = await stage.during(() => pause(QUIET_MS));

    const each = (bytes: number): string => kib(bytes / CONNECTIONS);
    const seconds = quiet.ms / 1_000;
    say(`${String(CONNECTIONS)} idle connections of ${String(OWNERS)} persons, one gateway:\n`);
    say(
      table(
        ['for each connection', 'objects in use', 'resident'],
        [
          ...stage.fleet.services.map(({ kind }, at) => [
            kind,
            each(full[at]!.live - empty[at]!.live),
            each(full[at]!.resident - empty[at]!.resident),
          ]),
          ['Redis, its new session included', each(redisFull.memoryBytes - redisEmpty.memoryBytes), '–'],
        ],
      ),
    );
    const perConnection = (ms = 0): string => `${(ms / CONNECTIONS).toFixed(2)} ms`;
    say(
      `\nto connect and be greeted: ${(opening.ms / 1_000).toFixed(1)} s for all; CPU of the gateway ${perConnection(opening.cpu['gateway'])}, of Redis ${perConnection(opening.cpu['redis'])} each`,
    );
    say(`commands for each: ${commandsPer(opening.redis, CONNECTIONS)}`);
    const share = (ms = 0): string => `${((100 * ms) / quiet.ms).toFixed(1)} %`;
    say(
      `\nwhile all are silent: ${(commandCount(quiet.redis) / seconds).toFixed(0)} commands a second (${(commandCount(quiet.redis) / seconds / CONNECTIONS).toFixed(3)} for each connection); of a core: gateway ${share(quiet.cpu['gateway'])}, runtime ${share(quiet.cpu['agent-runtime'])}, proxy ${share(quiet.cpu['llm-proxy'])}, Redis ${share(quiet.cpu['redis'])}`,
    );
    say(`commands a second: ${commandsPer(quiet.redis, seconds)}`);
    await crowd.close();
    const { errors: faults, warnings } = await stage.fleet.logged();
    const errors = [...warm.errors, ...crowd.errors, ...faults];
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
