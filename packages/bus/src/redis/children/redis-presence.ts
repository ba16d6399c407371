import { randomBytes } from 'node:crypto';
import { PRESENCE_MS, type ChildSessions } from '../../child-sessions.js';
import { ownerHash, sessionRef, type Owner, type SessionRef } from '../../session-ref.js';
import { toFields } from '../connection/decode-fields.js';
import { toMetas } from '../session/decode-meta.js';
import type { Command } from '../connection/redis-commands.js';
import type { SessionScripts } from '../session/session-scripts.js';

/** Sessions of a person that are looked at; each has a connection, so there can't be many. */
const MAX_PRESENT = 1_000;

/**
 * Which sessions have a connected executor: one entry for each process that has such a connection, with the time until which its word
 * counts, by Redis' clock. So a process that takes a client over and one that lost it don't contradict each other.
 */
export function redisPresence({
  commands,
  keys,
  blobs,
  rest,
}: SessionScripts): Pick<ChildSessions, 'announce' | 'leave' | 'present' | 'connected'> {
  const holder = randomBytes(8).toString('hex');
  const entryOf = ({ sessionId }: SessionRef): string => `${sessionId} ${holder}`;
  const announceOf = (refs: readonly [SessionRef, ...SessionRef[]]): Command[] => {
    const key = keys.present(refs[0].owner);
    const until = Math.ceil(commands.score()) + PRESENCE_MS;
    return [
      ['zadd', key, ...refs.flatMap((ref) => [until, entryOf(ref)])],
      ['pexpire', key, PRESENCE_MS],
    ];
  };
  const namesOf = async (owner: Owner): Promise<ReadonlySet<string>> => {
    const key = keys.present(owner);
    const now = Math.floor(commands.score());
    const [, entries] = await commands.run('read-connected', [
      ['zremrangebyscore', key, '-inf', now],
      ['zrangebyscore', key, `(${String(now)}`, '+inf', 'LIMIT', 0, MAX_PRESENT],
    ]);
    return new Set((entries as string[]).map((entry) => entry.slice(0, entry.indexOf(' '))));
  };
  return {
    announce: async (refs) => {
      if (refs.length === 0) return;
      const byOwner = new Map<string, [SessionRef, ...SessionRef[]]>();
      for (const ref of refs) {
        const known = byOwner.get(ownerHash(ref.owner));
        if (known === undefined) byOwner.set(ownerHash(ref.owner), [ref]);
        else known.push(ref);
      }
      await commands.runEach('announce-executors', [...byOwner.values()].flatMap(announceOf));
    },
    leave: async (ref) => {
      await commands.run('leave-executor', [['zrem', keys.present(ref.owner), entryOf(ref)]]);
    },
    present: async (refs) => {
      const owners = new Map(refs.map(({ owner }) => [ownerHash(owner), owner]));
      const named = new Map<string, ReadonlySet<string>>();
      for (const [hash, owner] of owners) named.set(hash, await namesOf(owner));
      return refs.map(({ owner, sessionId }) => named.get(ownerHash(owner))?.has(sessionId) === true);
    },
    connected: async (owner) => {
      const names = await namesOf(owner);
      const hashes = await commands.runEach(
        'read-connected',
        [...names].map((name) => ['hgetall', keys.session(sessionRef(owner, name).sid).meta]),
      );
      const sids = [...names].map((name) => sessionRef(owner, name).sid);
      const metas = await blobs.withTools(toMetas(await rest.complete(sids, hashes.map(toFields))));
      return metas
        .filter(({ executor, child }) => executor !== '' && child === undefined)
        .sort((one, other) => one.createdAtMs - other.createdAtMs || (one.ref.sessionId < other.ref.sessionId ? -1 : 1));
    },
  };
}
