import type { ChildSessions, SessionRef, SessionReads } from '@codelab/bus';
import type { Caller } from '../caller.js';
import type { Outcome } from './outcome.js';

/** A child as a connection knows it. */
export interface KnownChild {
  readonly ref: SessionRef;
  readonly isExecutor: boolean;
}

/** What came of a frame about a call, and whose the call was: the caller's own session, or a child of it. */
export interface OwnersOutcome {
  readonly outcome: Outcome;
  /** Absent for the caller's own session. */
  readonly child?: SessionRef;
}

/** Where calls are looked for. */
export interface CallOwners {
  readonly store: SessionReads;
  readonly children: Pick<ChildSessions, 'findCalls'>;
}

/**
 * Handles a frame about a call in the session that has the call (S1: the caller's own, or a child of it). Its own session is tried first, so
 * its calls cost nothing more; one that it doesn't know is looked for among the children, also of turns that are over, so that every frame
 * gets the answer that the call's state is worth (G2, R2).
 * @param known a child that the caller's connection has been shown the call of
 */
export async function handleForOwner(
  { store, children }: CallOwners,
  caller: Caller,
  call: { readonly callId: string; readonly known: KnownChild | undefined },
  handle: (caller: Caller) => Promise<Outcome>,
): Promise<OwnersOutcome> {
  const { known, callId } = call;
  if (known !== undefined) {
    const { ref, isExecutor } = known;
    return { outcome: await handle({ ...caller, session: ref, isExecutor }), child: ref };
  }
  const outcome = await handle(caller);
  if (outcome.ok || (outcome.code !== 'UNKNOWN_CALL' && outcome.code !== 'FORBIDDEN')) return { outcome };
  const child = (await children.findCalls(caller.session, [callId])).get(callId)?.child;
  if (child === undefined) return { outcome };
  const meta = await store.readMeta(child);
  if (meta === undefined) return { outcome };
  const isExecutor = caller.connection !== 'rest' && meta.executor === (caller.clientId ?? 'seed');
  return { outcome: await handle({ ...caller, session: child, isExecutor }), child };
}
