import { QuotaError } from '../../accounts/quota-error.js';
import type { SessionStore } from '../../session-store.js';
import { SCRIPT_LIMITS } from '../limits.js';
import type { Quotas } from '../accounts/quotas.js';
import type { SessionScripts } from './session-scripts.js';
import type { StoredBytes } from '../accounts/stored-bytes.js';

/**
 * The sessions, with the quotas of their owners kept: what brings something in is refused with `QuotaError` where there is no room, and everything that
 * changes a size is counted. Nothing that makes room, decides or ends is ever refused; a turn whose result has no room is stopped.
 */
export function guardStore(store: SessionStore, scripts: SessionScripts, stored: StoredBytes, quotas: Quotas): SessionStore {
  return {
    ...store,
    join: async (ref, joining, options) => {
      const bytes = SCRIPT_LIMITS.SESSION_BYTES + Buffer.byteLength(joining.tools ?? '');
      const refusal = options.create ? await refusalOf(quotas.admit(ref.owner, bytes)) : undefined;
      const meta = await store.join(ref, joining, refusal === undefined ? options : { create: false });
      if (meta === undefined && refusal !== undefined) throw refusal;
      stored.note(ref);
      return meta;
    },
    keepFacts: async (ref, facts) => {
      await quotas.admit(ref.owner, 2 * Buffer.byteLength(facts.text)); // those that the session began with stay
      const kept = await store.keepFacts(ref, facts);
      stored.note(ref);
      return kept;
    },
    changeTools: async (ref, change) => {
      await quotas.admit(ref.owner, Buffer.byteLength(change.tools));
      const kept = await store.changeTools(ref, change);
      stored.note(ref);
      return kept;
    },
    deliverMessage: async (ref, message) => {
      await quotas.admit(ref.owner, 2 * Buffer.byteLength(message.frame)); // where it waits the log shows the queue
      const delivered = await store.deliverMessage(ref, message);
      stored.note(ref);
      return delivered;
    },
    settleCall: async (ref, result) => {
      const refusal = await refusalOf(quotas.admit(ref.owner, 2 * Buffer.byteLength(result.frame))); // in the inbox and at the call
      if (refusal !== undefined) {
        await scripts.deliver('stopTurn', ref.sid, [result.callId, result.clientId ?? '', JSON.stringify(refusal.message)]);
        throw refusal;
      }
      const settled = await store.settleCall(ref, result);
      stored.note(ref);
      return settled;
    },
    commit: async (ref, lease, effects) => {
      const committed = await store.commit(ref, lease, effects);
      stored.note(ref);
      return committed;
    },
    remove: async (ref) => {
      const existed = await store.remove(ref);
      await stored.recountOwner(ref.owner); // its children went with it
      quotas.forget(ref.owner);
      return existed;
    },
  };
}

/** The quota that refuses; anything else is thrown. */
async function refusalOf(admission: Promise<void>): Promise<QuotaError | undefined> {
  try {
    await admission;
    return undefined;
  } catch (error) {
    if (error instanceof QuotaError) return error;
    throw error;
  }
}
