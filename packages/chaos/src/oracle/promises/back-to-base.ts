import type { Promised } from '../violation.js';

/** What a run may leave behind: counters of usage and the like, and what Node keeps of memory for the next one. */
const LEFT = { keys: 60, bytes: 3_000_000, rss: 120_000_000, sockets: 16, queue: 2 };

export const backToBase: Promised = {
  name: 'back-to-base',
  says: 'Once all sessions are deleted, keys, bytes, memory, sockets and queues are what they were before.',
  *judge(story) {
    const censuses = story.of('census');
    const [before, after] = [censuses[0], censuses.at(-1)];
    if (before === undefined || after === undefined || before === after) return;
    const grown = (what: string, from: number, to: number, left: number) =>
      to > from + left ? [`${what}: ${String(from)} before, ${String(to)} after`] : [];
    const more = [
      ...grown('keys', before.keys, after.keys, LEFT.keys),
      ...grown('bytes', before.bytes, after.bytes, LEFT.bytes),
      ...Object.entries(after.rss).flatMap(([name, to]) => grown(`memory of ${name}`, before.rss[name] ?? to, to, LEFT.rss)),
      ...Object.entries(after.sockets).flatMap(([name, to]) => grown(`sockets of ${name}`, before.sockets[name] ?? to, to, LEFT.sockets)),
      ...Object.entries(after.queues).flatMap(([name, to]) => grown(`queue ${name}`, before.queues[name] ?? 0, to, LEFT.queue)),
    ];
    // A store that lost something may have lost the deletions of a run before, too.
    const known = new Set(before.sessionKeys);
    const left = story.lostSomething ? [] : (after.sessionKeys ?? []).filter((key) => !known.has(key));
    if (left.length > 0) more.push(`keys of deleted sessions are left: ${left.slice(0, 5).join(', ')}`);
    for (const text of more) yield { text, at: after.at, events: [before.index, after.index] };
  },
};
