import {
  CHILD_HOLD_MS,
  isTaskName,
  MAX_OPEN_CHILDREN,
  taskRef,
  type ChildCall,
  type ChildOpened,
  type ChildSessions,
} from '../../child-sessions.js';
import type { NewChild, NewTask, TaskRecord } from '../../child-record.js';
import { newId } from '../../new-id.js';
import { sessionRef, type Owner, type SessionRef } from '../../session-ref.js';
import type { SessionMeta } from '../../session-records.js';
import type { SessionDeliveries, SessionMembership, SessionReads } from '../../session-store.js';
import { toHeld, type ChildRegistry } from './child-registry.js';
import { HOLD_RENEW_MS } from '../limits.js';
import type { Quotas } from '../accounts/quotas.js';
import { redisPresence } from './redis-presence.js';
import { fieldItems, namedArguments, type Named } from '../session/named-arguments.js';
import type { SessionScripts } from '../session/session-scripts.js';
import type { StoredBytes } from '../accounts/stored-bytes.js';

/** Abandoned children that one look takes on. */
const MAX_ABANDONED = 64;

const NO_EXECUTOR: ChildOpened = { kind: 'refused', code: 'NO_EXECUTOR' };

/** What {@link toHeld} wrote. */
const fromHeld = (text: string): SessionRef => {
  const [tenant, sub, sessionId] = JSON.parse(text) as [string, string, string];
  return sessionRef({ tenant, sub } satisfies Owner, sessionId);
};

/** The children of sessions, in Redis, and which sessions have a connected executor. */
export interface RedisChildSessions extends ChildSessions {
  /** Waits for no child any more. */
  stop(): void;
}

/**
 * Opening a child is three steps in three slots: its name at the parent, the child with its turn, the word to the gateways. Whichever is the
 * last before a crash, readers find a child that runs or none: a name without a child is passed over, a lost word is made up for by the next
 * look at the list, and a child whose opener is gone is cancelled.
 */
export function createRedisChildSessions(
  scripts: SessionScripts,
  store: SessionDeliveries & SessionMembership & SessionReads,
  registry: ChildRegistry,
  { quotas, storage }: { readonly quotas: Quotas; readonly storage: StoredBytes },
): RedisChildSessions {
  const { commands, keys } = scripts;
  const held = new Set<string>();
  const holdUntil = (): number => Math.floor(commands.score()) + CHILD_HOLD_MS;
  const renew = (): void => {
    if (held.size === 0) return;
    const until = holdUntil();
    // Away: what could not be renewed in time is cancelled by others, and its log says so.
    commands.run('hold-children', [['zadd', keys.held, ...[...held].flatMap((one) => [until, one])]]).catch(() => undefined);
  };
  const timer = setInterval(renew, HOLD_RENEW_MS);
  timer.unref();

  const release = async (child: SessionRef): Promise<void> => {
    held.delete(toHeld(child));
    await commands.run('release-child', [['zrem', keys.held, toHeld(child)]]);
  };

  /** The parent was removed while its child was opened, with the children that were there. */
  const removeOrphan = async (parent: SessionRef, child: SessionRef): Promise<void> => {
    await store.remove(child);
    await commands.run('remove', [['unlink', keys.session(parent.sid).children]]);
  };

  const create = async (parent: SessionMeta, ref: SessionRef, child: NewChild): Promise<SessionMeta | undefined> => {
    const message = JSON.stringify({ type: 'user_message', content: '' });
    const turn = { turn_id: child.turnId, message_id: JSON.stringify(newId('msg')), frame: message, base: child.base };
    await scripts.blobs.keep(ref.sid, parent.executorTools);
    const args = namedArguments(turn, { meta: fieldItems(toFields(parent, ref, child)) });
    const [code] = await scripts.deliver('openChild', ref.sid, args);
    storage.note(ref);
    return code < 0 ? undefined : store.readMeta(ref);
  };

  /** `undefined`: the parent is gone. */
  const begin = async (parent: SessionRef, meta: SessionMeta, ref: SessionRef, child: NewChild): Promise<SessionMeta | undefined> => {
    await commands.run('hold-children', [['zadd', keys.held, holdUntil(), toHeld(ref)]]);
    const opened = await create(meta, ref, child);
    if (opened === undefined) throw new Error(`open: the name ${child.sessionId} is taken`);
    if ((await store.readMeta(parent)) !== undefined) return opened;
    await removeOrphan(parent, ref);
    await release(ref);
    return undefined;
  };

  return {
    ...redisPresence(scripts),
    open: async (parent, child) => {
      const meta = await store.readMeta(parent);
      if (meta === undefined || meta.executor === '' || meta.child !== undefined) return NO_EXECUTOR;
      const [running = []] = await registry.running([parent]);
      if (running.length >= MAX_OPEN_CHILDREN) return { kind: 'refused', code: 'FULL' };
      await quotas.admit(parent.owner, Buffer.byteLength(child.base));
      const ref = sessionRef(parent.owner, child.sessionId);
      await registry.register(parent, ref);
      held.add(toHeld(ref));
      const opened = await begin(parent, meta, ref, child).catch((error: unknown) => {
        held.delete(toHeld(ref)); // where it is there after all, it counts as abandoned
        throw error;
      });
      if (opened === undefined) return NO_EXECUTOR;
      await store.signal(parent, { type: 'child_opened', session_id: child.sessionId }).catch(() => undefined); // a hint
      return { kind: 'opened', child: opened };
    },
    openTask: async (parent, task) => {
      const ref = taskRef(parent, task.callId);
      const [meta, there] = await Promise.all([store.readMeta(parent), store.readMeta(ref)]);
      if (there?.child?.origin === 'task' && there.child.callId === task.callId) return { kind: 'opened', child: there };
      if (meta === undefined || meta.executor === '' || meta.child !== undefined) return NO_EXECUTOR;
      const [running = []] = await registry.running([parent]);
      if (running.length >= MAX_OPEN_CHILDREN) return { kind: 'refused', code: 'FULL' };
      await quotas.admit(parent.owner, Buffer.byteLength(task.prompt));
      await registry.register(parent, ref);
      const message = JSON.stringify({ type: 'user_message', content: task.prompt, traceparent: task.traceparent });
      const turn = { turn_id: task.turnId, message_id: JSON.stringify(newId('msg')), frame: message };
      await scripts.blobs.keep(ref.sid, meta.executorTools);
      await scripts.deliver('openChild', ref.sid, namedArguments(turn, { meta: fieldItems(toTaskFields(meta, ref, task)) }));
      storage.note(ref);
      if ((await store.readMeta(parent)) === undefined) {
        await removeOrphan(parent, ref);
        return NO_EXECUTOR;
      }
      const child = await store.readMeta(ref); // mine, or that of another opener
      if (child?.child?.origin !== 'task') throw new Error(`open: the name ${ref.sessionId} is taken`);
      await store.signal(parent, { type: 'child_opened', session_id: ref.sessionId }).catch(() => undefined); // a hint
      return { kind: 'opened', child };
    },
    of: (parents) => registry.running(parents),
    tasksOf: async (parent) => {
      const [children = []] = await registry.all([parent]);
      const metas = await Promise.all(children.filter(({ sessionId }) => isTaskName(sessionId)).map((child) => store.readMeta(child)));
      return metas
        .flatMap((meta) => (meta?.child?.origin === 'task' ? [meta] : []))
        .toSorted((one, other) => one.createdAtMs - other.createdAtMs);
    },
    findCalls: async (parent, callIds) => {
      const found = new Map<string, ChildCall>();
      const [children = []] = callIds.length === 0 ? [] : await registry.all([parent]);
      const replies = await commands.runEach(
        'find-calls',
        children.map(({ sid }) => ['hmget', keys.session(sid).calls, ...callIds.map((callId) => `${callId}:state`)]),
      );
      children.forEach((child, index) => {
        const states = replies[index] as (string | null)[];
        callIds.forEach((callId, place) => {
          const state = states[place] ?? null;
          if (state !== null) found.set(callId, { child, isOpen: state === 'ready' || state === 'waiting_approval' });
        });
      });
      return found;
    },
    close: async (parent, child) => {
      held.delete(toHeld(child)); // first: where the store is away now, it counts as abandoned
      await store.requestCancel(child, { queue: false });
      await commands.run('close-child', [registry.ending(parent, child)]);
      await commands.run('close-child', [['hdel', keys.session(child.sid).messages, 'base']]);
      await release(child);
    },
    cancelAbandoned: async () => {
      const [texts] = await commands.run('read-abandoned', [
        ['zrangebyscore', keys.held, '-inf', Math.floor(commands.score()), 'LIMIT', 0, MAX_ABANDONED],
      ]);
      const abandoned = (texts as string[]).map(fromHeld);
      const cancels = await Promise.allSettled(
        abandoned.map(async (child) => {
          await store.requestCancel(child, { queue: false });
          await release(child);
        }),
      );
      // One whose node is away is looked at again in a while, and holds up no other.
      const left = abandoned.filter((_, place) => cancels[place]?.status === 'rejected');
      if (left.length > 0)
        await commands.run('hold-children', [['zadd', keys.held, 'XX', ...left.flatMap((child) => [holdUntil(), toHeld(child)])]]);
      const fault = cancels.find((one) => one.status === 'rejected');
      if (fault !== undefined) throw fault.reason;
      return abandoned.length;
    },
    stop: () => clearInterval(timer),
  };
}

/** Names and values of a child's meta: whose it is, how its parent is set, and what its request said. */
function toFields(parent: SessionMeta, ref: SessionRef, child: NewChild): Named {
  const { callerTools, serverTools, executorTools, maxToolRounds, traceparent } = child;
  return {
    ...ofParent(parent, ref),
    child: JSON.stringify({ callerTools, serverTools, executorTools, maxToolRounds, traceparent }),
    model: child.model,
    agent: parent.agent,
    // who opened it follows its calls by this frame, whatever the clients of the parent read
    capabilities: [...new Set([...parent.capabilities.split(' '), 'tool_status'])].join(' ').trim(),
  };
}

/** The same of a child that works on a part of its parent's task: it knows what its parent knows of the workspace. */
function toTaskFields(parent: SessionMeta, ref: SessionRef, { callId, within, model, agent, budget }: NewTask): Named {
  const record: Omit<TaskRecord, 'parent'> = { origin: 'task', callId, within, budget };
  return {
    ...ofParent(parent, ref),
    child: JSON.stringify(record),
    ...{ model: model || parent.model, agent, facts: parent.facts, capabilities: parent.capabilities },
  };
}

/** What a child has from its parent. */
const ofParent = (parent: SessionMeta, { owner, sessionId }: SessionRef): Named => ({
  tenant: owner.tenant,
  sub: owner.sub,
  session_id: sessionId,
  parent: parent.ref.sessionId,
  mode: parent.mode,
  vocabulary: parent.vocabulary,
  executor: parent.executor,
  executor_tools: parent.storedTools ?? parent.executorTools,
  protocol_version: parent.protocolVersion,
  workspace: parent.workspace,
  client_grace_ms: String(parent.clientGraceMs),
  server_side_decisions: parent.serverSideDecisions ? '1' : '',
});
