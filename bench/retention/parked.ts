import { connectBus } from '@codelab/bus/redis';
import type { Memory } from '../measure/idle-connections.js';
import { renderUses, type KindUse } from './measure-keys.js';
import type { Part } from './part.js';
import { Stage } from './stage.js';

/** What a session that waits for a human may take in Redis beside its history, and for a while in the caches of a service. */
const [MOST_BYTES, MOST_OF_SERVICE] = [4_096, 16_384];

/** What belongs to one session. */
const isOwn = (name: string): boolean => name.startsWith('cl:{sid}:');
/** What is not counted: the conversation, and the record of the last model request, which goes ten minutes after its answer. */
const isApart = (name: string): boolean => name === 'cl:{sid}:history' || name.startsWith('cl:{sid}:step:');

/** Bytes of a session beside its history, with its share of what several have in common. */
export function bytesBeside(uses: ReadonlyMap<string, KindUse>, sessions: number): number {
  const counted = [...uses].filter(([name]) => (isOwn(name) && !isApart(name)) || name === 'cl:{blob:<digest>}:users');
  return counted.reduce((sum, [, { bytes }]) => sum + bytes, 0) / sessions;
}

/** Sessions that wait for a human: bytes by the kind of key, as they wait and when they have been put away, and the memory of the servers. */
export const parked: Part = async ({ sessions = 1_000, say }) => {
  const stage = await Stage.start({
    // reads a file, and then asks a human
    script: ({ body }) => {
      const results = body.messages.filter(({ role }) => role === 'tool').length;
      const [name, args] = results === 0 ? ['read_file', '{"path":"README.md"}'] : ['run_command', '{"command":"make deploy"}'];
      return { toolCalls: [{ id: `call_${String(results)}`, name, arguments: args }] };
    },
    env: { RUNTIME_FREEZE_AFTER_MS: '0' },
  });
  try {
    await stage.drive('warm', sessions); // what a process keeps anyway is there then
    const before = await stage.memory();
    await stage.drive('parked', sessions);
    const after = await stage.memory();
    say(`as they wait:\n${renderUses(await stage.keys(), 2 * sessions)}\n`);
    const bus = await connectBus({ url: stage.redisUrl });
    const { frozen } = await bus.janitor.run({ keys: Infinity, graceMs: 0, freezeAfterMs: 1 });
    await bus.close();
    const uses = await stage.keys();
    const bytes = bytesBeside(uses, 2 * sessions);
    say(`${String(frozen)} put away:\n${renderUses(uses, 2 * sessions)}\n`);
    say(`${bytes.toFixed(0)} bytes a session beside its history`);
    const missed = bytes > MOST_BYTES ? [`a session takes ${bytes.toFixed(0)} bytes beside its history, not ${String(MOST_BYTES)}`] : [];
    for (const [at, name] of Object.keys(stage.pids).entries()) {
      const per = (kind: keyof Memory): number => Math.round((after[at]![kind] - before[at]![kind]) / sessions);
      say(`${name}: ${String(per('live'))} bytes a session in use, ${String(per('resident'))} resident`);
      // of fewer the heap's own coming and going is more than they are
      if (sessions >= 1_000 && per('live') > MOST_OF_SERVICE) missed.push(`${name} keeps ${String(per('live'))} bytes a session`);
    }
    return missed;
  } finally {
    await stage.close();
  }
};
