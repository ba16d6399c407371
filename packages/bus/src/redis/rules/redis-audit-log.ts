import type { AuditEntry, AuditLog, AuditPage } from '../../audit-log.js';
import { sessionRef, type Owner, type SessionRef, type Sid } from '../../session-ref.js';
import { decodeAudit, type TrailOwner } from './audit-rows.js';
import { isTaskName } from '../../child-sessions.js';
import type { ChildRegistry } from '../children/child-registry.js';
import type { Keys } from '../keys/keys.js';
import { SCRIPT_LIMITS } from '../limits.js';
import type { Command, RedisCommands } from '../connection/redis-commands.js';
import type { StreamEntry } from '../rest/frozen-text.js';
import type { RestingSessions } from '../rest/resting-sessions.js';

/** Sessions of a person that are looked at, those used last. */
const MAX_SESSIONS = 100;

/** Trails of children that are looked at, those of the sessions used last. */
const MAX_CHILDREN = 512;

/** A trail: of a session, of one of its children, or with the name '' of the person. */
interface Trail {
  readonly name: string;
  readonly owner: TrailOwner;
  readonly key: string;
  /** The session that has it, which may be put away. */
  readonly sid?: Sid;
  /** Only rows about this session. */
  readonly about?: string;
}

/** Where a row stands among those of several trails: newest first, and by the name of the trail where the time is the same. */
interface Place {
  readonly ms: number;
  readonly count: number;
  readonly trail: string;
}

const compare = (one: Place, other: Place): number =>
  other.ms - one.ms || other.count - one.count || (one.trail < other.trail ? -1 : one.trail > other.trail ? 1 : 0);

const toPlace = (id: string, trail: string): Place => {
  const [ms, count] = id.split('-').map(Number);
  return { ms: ms ?? 0, count: count ?? 0, trail };
};

const toCursor = ({ ms, count, trail }: Place): string => `${String(ms)}-${String(count)}.${trail}`;

const fromCursor = (cursor: string): Place => {
  const dot = cursor.indexOf('.');
  return toPlace(cursor.slice(0, dot), cursor.slice(dot + 1));
};

/** The newest rows of a trail behind a place. */
const readBehind = ({ name, key, about }: Trail, before: Place | undefined, limit: number): Command => {
  const id = before === undefined ? '+' : `${String(before.ms)}-${String(before.count)}`;
  const end = before === undefined || name > before.trail ? id : `(${id}`;
  return ['xrevrange', key, end, '-', 'COUNT', about === undefined ? limit : SCRIPT_LIMITS.MAX_AUDIT_ROWS];
};

/** What the trails are made of. */
interface AuditParts {
  readonly commands: RedisCommands;
  readonly keys: Keys;
  readonly rest: Pick<RestingSessions, 'read'>;
  readonly registry: Pick<ChildRegistry, 'all'>;
}

/** The audit trails, in Redis. */
export function createRedisAuditLog({ commands, keys, rest, registry }: AuditParts): AuditLog {
  /** The newest rows of each trail behind a place, or all of a session that is put away. */
  const readRows = async (
    trails: readonly Trail[],
    before: Place | undefined,
    limit: number,
  ): Promise<readonly (readonly StreamEntry[])[]> => {
    const readEach = async (some: readonly Trail[]) => {
      const commandsOf = some.map((trail) => readBehind(trail, before, limit));
      return new Map((await commands.runEach('read-audit', commandsOf)).map((rows, at) => [some[at]!, rows as readonly StreamEntry[]]));
    };
    const found = await readEach(trails);
    const empty = trails.filter((trail) => found.get(trail)?.length === 0);
    const away = await rest.read(empty.flatMap(({ sid }) => sid ?? []));
    const again = await readEach(empty.filter(({ sid }) => sid !== undefined && !away.has(sid))); // brought back meanwhile, or without rows
    return trails.map((trail) => (trail.sid && away.get(trail.sid)?.audit) ?? again.get(trail) ?? found.get(trail)!);
  };
  const read = async (trails: readonly Trail[], { before, limit }: { before?: string; limit: number }): Promise<AuditPage> => {
    const place = before === undefined ? undefined : fromCursor(before);
    const found = await readRows(trails, place, limit + 1);
    const rows = trails.flatMap(({ name, owner, about }, index) =>
      found[index]!.map((row) => ({ place: toPlace(row[0], name), entry: decodeAudit(row, owner) }))
        .filter((row) => place === undefined || compare(row.place, place) > 0)
        .filter(({ entry }) => about === undefined || entry.sessionId === about),
    );
    rows.sort((one, other) => compare(one.place, other.place));
    const shown = rows.slice(0, limit);
    const entries: readonly AuditEntry[] = shown.map(({ entry }) => entry);
    return { entries, ...(rows.length > limit ? { next: toCursor(shown.at(-1)!.place) } : {}) };
  };
  const ofPerson = (owner: Owner): Trail => ({ name: '', owner: {}, key: keys.auditOf(owner) });
  const ofSessions = async (refs: readonly SessionRef[]): Promise<readonly Trail[]> => {
    const own = refs.map(({ sessionId, sid }) => ({ name: sessionId, sid, owner: { sessionId }, key: keys.session(sid).audit }));
    const children = (await registry.all(refs)).flatMap((list, index) =>
      list.map(({ sessionId: name, sid }) => ({
        ...{ name, sid, key: keys.session(sid).audit },
        owner: { sessionId: refs[index]!.sessionId, origin: isTaskName(name) ? 'task' : 'proxy' } as const,
      })),
    );
    return [...own, ...children.slice(0, MAX_CHILDREN)];
  };
  return {
    readSession: async (ref, page) => read([...(await ofSessions([ref])), { ...ofPerson(ref.owner), about: ref.sessionId }], page),
    readPerson: async (owner, page) => {
      const [names] = await commands.runEach('read-audit', [['zrevrange', keys.owned(owner), 0, MAX_SESSIONS - 1]]);
      return read([ofPerson(owner), ...(await ofSessions((names as string[]).map((name) => sessionRef(owner, name))))], page);
    },
  };
}
