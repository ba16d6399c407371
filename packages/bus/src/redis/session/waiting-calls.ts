import type { CallRecord } from '@codelab/protocol';
import type { Sid } from '../../session-ref.js';
import type { SessionCalls } from '../../session-store.js';
import { decodeCalls, waitingFields } from './decode-calls.js';
import type { SessionScripts } from './session-scripts.js';

/** An open call of a session, and its state; null where an older release wrote it, or the session rests. */
interface OpenCall {
  readonly sid: Sid;
  readonly callId: string;
  readonly state: string | null;
}

/**
 * What waits for decisions in many sessions. Nothing is kept for it beside the calls: the ids of open calls are one field of each session, and
 * only of those that wait is more read than the state. So a look costs what waits, and a few bytes for each session.
 */
export function waitingCalls(
  { commands, keys, rest, strings }: SessionScripts,
  readCalls: SessionCalls['readCalls'],
): Pick<SessionCalls, 'readWaiting'> {
  const readStates = async (sids: readonly Sid[]): Promise<readonly OpenCall[]> => {
    const open = await commands.runEach(
      'read-open',
      sids.map((sid) => ['hget', keys.session(sid).calls, 'open']),
    );
    const frozen = await rest.frozenAmong(sids.filter((_, at) => open[at] === null));
    const asked = sids.flatMap((sid, at) => {
      const callIds = ((open[at] as string | null) ?? '').split(' ').filter((id) => id !== '');
      return callIds.length === 0 ? [] : [{ sid, callIds }];
    });
    const replies = await commands.runEach(
      'read-open',
      asked.map(({ sid, callIds }) => ['hmget', keys.session(sid).calls, ...callIds.map((callId) => `${callId}:state`)]),
    );
    const states = asked.flatMap(({ sid, callIds }, at) => {
      const found = replies[at] as (string | null)[];
      return callIds.map((callId, place) => ({ sid, callId, state: found[place] ?? null }));
    });
    return [...states, ...frozen.map((sid) => ({ sid, callId: '', state: null }))];
  };

  return {
    readWaiting: async (sids) => {
      const calls = await readStates(sids);
      const waiting = calls.filter(({ state }) => state === 'waiting_approval');
      const replies = await commands.runEach(
        'read-waiting',
        waiting.map(({ sid, callId }) => ['hmget', keys.session(sid).calls, ...waitingFields(callId)]),
      );
      const found = new Map<Sid, CallRecord[]>();
      const add = (sid: Sid, records: readonly CallRecord[]): void =>
        void found.set(sid, [...(found.get(sid) ?? []), ...records.filter(({ state }) => state === 'waiting_approval')]);
      for (const [at, { sid, callId }] of waiting.entries()) {
        const values = replies[at] as (string | null)[];
        const fields = Object.fromEntries(waitingFields(callId).map((name, place) => [name, values[place] ?? '']));
        add(sid, decodeCalls({ ...fields, open: callId }));
      }
      for (const sid of new Set(calls.filter(({ state }) => state === null).map((call) => call.sid))) {
        found.delete(sid);
        add(sid, await readCalls(sid)); // which brings what an older release wrote up to date
      }
      return Promise.all(sids.map((sid) => strings.restoreCalls(found.get(sid) ?? [])));
    },
  };
}
