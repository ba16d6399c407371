import type { Janitor, JanitorReport, JanitorRun } from '../../janitor.js';
import type { SessionRef, Sid } from '../../session-ref.js';
import { sessionRef } from '../../session-ref.js';
import type { SessionStore } from '../../session-store.js';
import type { ChildRegistry } from '../children/child-registry.js';
import type { BusLogger } from '../connection/bus-logger.js';
import type { Command, RedisCommands } from '../connection/redis-commands.js';
import { KEY_KINDS } from '../keys/key-kinds.js';
import { matchKey, type KeyKind } from '../keys/key-kind.js';
import type { Keys } from '../keys/keys.js';
import { SYSTEM_KINDS } from '../keys/system-kinds.js';
import { collectConsumers } from './collect-consumers.js';
import { collectTexts } from './collect-texts.js';
import type { RestingSessions } from '../rest/resting-sessions.js';
import { endAbandoned, readSessions, type RestingSession } from './end-sessions.js';
import { listForgotten } from './list-forgotten.js';
import { scheduleRuns } from './schedule-runs.js';
import { tidyLists } from './tidy-lists.js';
import { newTally, type Tally } from './tally.js';
import { isOpenStep, wakeForgotten } from './wake-forgotten.js';
import { walkKeys } from './walk-keys.js';

/** What the janitor works with. */
export interface JanitorParts {
  readonly commands: RedisCommands;
  readonly keys: Keys;
  readonly url: string;
  readonly logger: BusLogger;
  readonly store: SessionStore;
  readonly rest: RestingSessions;
  readonly registry: ChildRegistry;
  readonly sessionTtlMs: number;
  readonly parkedTtlMs: number;
  /** Of texts that sessions have in common. */
  readonly textTtlMs: number;
}

const OF_SESSION = /^[^{]*cl:\{([a-z2-7]{26})\}:([a-z]+)/;
const OF_TEXT = /cl:\{blob:([^}]+)\}:/;

/** A key that the walk found, and what it is. */
interface Found {
  readonly key: string;
  readonly kind: KeyKind | undefined;
  /** It has no TTL. */
  readonly isUnbounded: boolean;
}

/** The janitor, on Redis: one walk over all keys, a part in each run. */
export function createRedisJanitor(parts: JanitorParts): Janitor {
  const { commands, keys, store } = parts;
  const kinds = KEY_KINDS.filter(({ type }) => type !== 'channel').map((kind) => ({ kind, pattern: matchKey(kind, keys.namespace) }));

  const identify = async (names: readonly string[]): Promise<readonly Found[]> => {
    const lives = await commands.runEach(
      'janitor-look',
      names.map((key) => ['pttl', key]),
    );
    return names.flatMap((key, place) =>
      lives[place] === -2 ? [] : [{ key, kind: kinds.find(({ pattern }) => pattern.test(key))?.kind, isUnbounded: lives[place] === -1 }],
    );
  };

  /** Sessions that are to be ended, and keys of those that are gone. */
  const lookAfterSessions = async (
    found: readonly Found[],
    { graceMs, freezeAfterMs = Infinity }: JanitorRun,
    tally: Tally,
  ): Promise<void> => {
    const bySid = new Map<Sid, string[]>();
    for (const { key, isUnbounded } of found) {
      const [, sid, noun] = OF_SESSION.exec(key) ?? [];
      if (sid === undefined) continue;
      if (isUnbounded || noun === 'meta') bySid.set(sid as Sid, [...(bySid.get(sid as Sid) ?? []), key]);
    }
    const sessions = await readSessions(commands, keys, [...bySid.keys()]);
    const parents = [...sessions.values()].flatMap((one) =>
      one === undefined || one.parent === '' ? [] : [parentOf(one.ref, one.parent)],
    );
    const lives = await commands.runEach(
      'janitor-sessions',
      parents.map(({ sid }) => ['exists', keys.session(sid).meta]),
    );
    const living = new Set(parents.filter((_, place) => lives[place] === 1).map(({ sid }) => sid));
    const nowMs = commands.score();
    await tidyLists(parts, [...sessions.values()], tally);
    await listForgotten(parts, [...sessions.values()], tally);
    await wakeForgotten(parts, [...sessions.values()], tally);
    for (const [sid, session] of sessions) {
      if (session === undefined) {
        // What was left, or comes back, of a session that is gone: nobody else would end it.
        const [gone] = await commands.run('janitor-orphans', [['dropOrphans', keys.session(sid).meta, ...(bySid.get(sid) ?? [])]]);
        tally.orphans += Number(gone);
      } else if (nowMs - session.updatedAtMs > graceMs) {
        const hasParent = session.parent !== '' && living.has(parentOf(session.ref, session.parent).sid);
        const goesOn = await endAbandoned(store, session, { parkedTtlMs: parts.parkedTtlMs, nowMs, hasParent }, tally);
        if (goesOn && nowMs - session.updatedAtMs > freezeAfterMs) await freeze(session, nowMs, tally);
      }
    }
  };

  /** A session that nobody holds, and that waits for no model. */
  const freeze = async (session: RestingSession, nowMs: number, tally: Tally): Promise<void> => {
    const { ref, parent, isFrozen, isCancelled, isSetBack, leaseUntilMs, lastStep, hasUnread } = session;
    if (isFrozen || parent !== '' || isCancelled || isSetBack || hasUnread || leaseUntilMs > nowMs) return;
    const [state] = await commands.run('janitor-steps', [['hget', keys.session(ref.sid).step(lastStep || 'none'), 'state']]);
    if (!isOpenStep(state) && (await parts.rest.freeze(ref.sid))) tally.frozen += 1;
  };

  const run = async (options: JanitorRun): Promise<JanitorReport> => {
    const tally = newTally();
    tally.isThrough = await walkKeys(commands, keys, options.keys, async (names) => {
      const found = await identify(names);
      tally.looked += found.length;
      tally.unknown += found.filter(({ kind }) => kind === undefined).length;
      await lookAfterSessions(found, options, tally);
      const digests = new Set(found.flatMap(({ key }) => OF_TEXT.exec(key)?.[1] ?? []));
      await collectTexts(parts, [...digests], { ttlMs: parts.textTtlMs, graceMs: options.graceMs }, tally);
      const mustEnd = found.filter(({ kind, isUnbounded }) => isUnbounded && kind !== undefined && kind.life.without === undefined);
      await commands.runEach(
        'janitor-bound',
        mustEnd.map(({ key }): Command => ['pexpire', key, parts.sessionTtlMs]),
      );
      tally.bounded += mustEnd.length;
      for (const { key } of found.filter(({ kind }) => kind === SYSTEM_KINDS.models)) await collectConsumers(commands, key, tally);
    });
    return tally;
  };

  return { run, schedule: (options, onRun) => scheduleRuns(parts, { ...options, run: () => run(options) }, onRun) };
}

const parentOf = ({ owner }: SessionRef, parent: string): SessionRef => sessionRef(owner, parent);
