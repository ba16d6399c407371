import { setTimeout as pause } from 'node:timers/promises';
import { renderUses, type KindUse } from './measure-keys.js';
import type { Part } from './part.js';
import { Stage } from './stage.js';

/** How long a session lives after its last turn. */
const TTL_MS = Number(process.env['BENCH_TTL_MS'] ?? '60000');
/** How long everything may take to go then. */
const GONE_MS = 10 * 60_000;
/** Sessions before the base line is read. */
const WARM = 50;

/** Of a session, or of a text that sessions have in common. */
const isFleeting = (name: string): boolean => name.includes('{sid}') || name.includes('{blob:');

/** What stays in Redis of sessions whose turns are over, after their TTL and a walk of the janitor: no key of theirs. */
export const ended: Part = async ({ sessions = 10_000, say }) => {
  const stage = await Stage.start({
    script: ({ body }) => {
      const isAnswered = body.messages.some(({ role }) => role === 'tool');
      return isAnswered ? { text: 'Done.' } : { toolCalls: [{ id: 'call_0', name: 'read_file', arguments: '{"path":"README.md"}' }] };
    },
    env: { CODELAB_SESSION_TTL_MS: String(TTL_MS), RUNTIME_JANITOR_INTERVAL_MS: '5000' },
  });
  const settled = async (): Promise<ReadonlyMap<string, KindUse>> => {
    for (const until = Date.now() + GONE_MS; Date.now() < until; await pause(2_000)) {
      const uses = await stage.keys();
      if (![...uses.keys()].some(isFleeting)) return uses;
    }
    return stage.keys();
  };
  const tell = async (when: string, uses: ReadonlyMap<string, KindUse>): Promise<void> => {
    const keys = [...uses.values()].reduce((sum, use) => sum + use.keys, 0);
    say(`${when}: ${String(keys)} keys, ${String(await stage.used())} bytes used`);
  };
  try {
    await stage.drive('warm', WARM);
    await tell('base line', await settled());
    await stage.drive('ended', sessions);
    await tell(`when the last turn of ${String(sessions)} sessions was over`, await stage.keys());
    const uses = await settled();
    await tell('after their last TTL', uses);
    say(renderUses(uses, sessions));
    return [...uses].filter(([name]) => isFleeting(name)).map(([name, { keys }]) => `${String(keys)} keys ${name} are left`);
  } finally {
    await stage.close();
  }
};
