import { cpuDuring } from '../measure/process-cost.js';
import { driveResults } from './drive-results.js';
import { renderUses } from './measure-keys.js';
import type { Part } from './part.js';
import { Stage } from './stage.js';

/** Results of a session, and the size of each. */
const [STEPS, RESULT_BYTES] = [50, 64 * 1024];
/** Whether all results are the same, which Redis then has once. */
const IS_SAME = process.env['BENCH_SAME'] !== '0';

const fileOf = (words: string): string =>
  `${words} `
    .padEnd(64, 'x')
    .concat('\n')
    .repeat(RESULT_BYTES / 65);

/** Bytes, commands and time of sessions with 50 results of 64 KB, each its own (`BENCH_SAME=0`) or all the same. */
export const results: Part = async ({ sessions = 8, say }) => {
  const stage = await Stage.start({
    script: ({ body }) => {
      const at = String(body.messages.filter(({ role }) => role === 'tool').length);
      if (Number(at) >= STEPS) return { text: 'Done.' };
      return { toolCalls: [{ id: `call_${at}`, name: 'read_file', arguments: JSON.stringify({ path: `file-${at}.md` }) }] };
    },
    env: { RUNTIME_FREEZE_AFTER_MS: '0' },
  });
  const { redis, place } = stage;
  /** Commands that Redis served, those inside of scripts as well, and bytes that it took in. */
  const work = async (): Promise<{ commands: number; bytes: number }> => {
    const [stats, commands] = await Promise.all([redis.info('stats'), redis.info('commandstats')]);
    const calls = [...commands.matchAll(/calls=(\d+)/g)].reduce((sum, [, count]) => sum + Number(count), 0);
    return { commands: calls, bytes: Number(/total_net_input_bytes:(\d+)/.exec(stats)?.[1]) };
  };
  try {
    await driveResults(place, 'warm', (call) => fileOf(`warm ${String(call)}`));
    const [before, usedBefore, startedMs] = [await work(), await stage.used(), performance.now()];
    const redisPid = Number(/process_id:(\d+)/.exec(await redis.info('server'))?.[1]);
    const { cpu } = await cpuDuring({ ...stage.pids, redis: redisPid }, () =>
      Promise.all(
        Array.from({ length: sessions }, (_, n) =>
          driveResults(place, `results-${String(n)}`, (call) => fileOf(IS_SAME ? 'same' : `${String(n)} ${String(call)}`)),
        ),
      ),
    );
    const [after, seconds, steps] = [await work(), (performance.now() - startedMs) / 1_000, sessions * STEPS];
    const perStep = ([name, ms]: [string, number]): string => `${name} ${(ms / steps).toFixed(1)}`;
    say(`${(steps / seconds).toFixed(0)} steps/s; ms of CPU a step: ${Object.entries(cpu).map(perStep).join(', ')}`);
    const kib = ((after.bytes - before.bytes) / steps / 1_024).toFixed(0);
    say(`${((after.commands - before.commands) / steps).toFixed(1)} commands and ${kib} KiB into Redis a step`);
    say(`${String((await stage.used()) - usedBefore)} bytes more used`);
    say(renderUses(await stage.keys(), sessions + 1));
    return [];
  } finally {
    await stage.close();
  }
};
