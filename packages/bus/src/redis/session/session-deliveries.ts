import { SERVER_EXECUTOR } from '../../child-sessions.js';
import type { SessionRef } from '../../session-ref.js';
import type { Begun, SessionCalls, SessionDeliveries } from '../../session-store.js';
import { BusError } from '../../bus-error.js';
import { loggedFrame } from './decode-log.js';
import { toCancelRequested, toDecided, toDelivered, toRemoved, toSettled } from './lua-results.js';
import { namedArguments } from './named-arguments.js';
import type { SessionScripts } from './session-scripts.js';

/** A relayed frame above this is left out: channels are for small things, and nothing relies on a relayed frame. */
const MAX_RELAYED_BYTES = 64 * 1024;

/** What gateways store of what clients say. */
export function sessionDeliveries(scripts: SessionScripts): SessionDeliveries & Omit<SessionCalls, 'readCalls' | 'readWaiting'> {
  const { commands, keys } = scripts;
  const acknowledge = async (ref: SessionRef, words: readonly (string | number)[]): Promise<Begun> => {
    const { meta, calls } = keys.session(ref.sid);
    const [reply] = await commands.run('acknowledge', [['acknowledgeCall', meta, calls, ...words]]);
    const [known, overdueMs] = reply as [number, number];
    if (known !== 1) return 'refused';
    if (overdueMs === 0) return 'begun_before';
    // A session that is parked is looked at when the call is overdue; one that is not has an earlier score.
    await commands.run('acknowledge', [['zadd', keys.due(ref.sid), 'LT', commands.score() + overdueMs, ref.sid]]);
    return 'begun';
  };
  return {
    deliverMessage: async (ref, { messageId, turnId, frame, summary, digest, whenBusy, seed }) => {
      const words = { turn_id: turnId, frame, summary, when_busy: whenBusy, seed, digest };
      const args = namedArguments({ message_id: JSON.stringify(messageId), ...words });
      return toDelivered(await scripts.deliver('deliverMessage', ref.sid, args), messageId);
    },
    settleCall: async (ref, { callId, fence, clientId, frame, errorCode, previewError }) => {
      const words = { client_id: clientId, frame, error_code: errorCode, preview_error: previewError };
      const args = namedArguments({ call_id: callId, fence, ...words });
      return toSettled(await scripts.deliver('settleCall', ref.sid, args));
    },
    decideCall: async (ref, { callId, decidedOn, question, record, frame, target }) => {
      const { outcome, argsSha256, by } = record;
      const words = {
        decided_on: decidedOn,
        question,
        outcome,
        decision: JSON.stringify(record),
        args_sha256: argsSha256,
        frame,
        by,
        target,
      };
      return toDecided(
        await scripts.deliver('decideCall', ref.sid, namedArguments({ call_id: callId, ...words })),
        { type: 'approval_resolved', call_id: callId, outcome },
        frame,
      );
    },
    reviewQuestions: async (ref) => {
      await scripts.deliver('reviewQuestions', ref.sid, []);
    },
    requestCancel: async (ref, { turnId, queue }) =>
      toCancelRequested(await scripts.deliver('requestCancel', ref.sid, [turnId ?? '', queue ? '1' : ''])),
    removeQueued: async (ref, messageId) => toRemoved(await scripts.deliver('removeQueued', ref.sid, [JSON.stringify(messageId)])),
    switchAgent: async (ref, agent, frame) => {
      const [code, , seq] = await scripts.deliver('switchAgent', ref.sid, [agent, JSON.stringify(agent), frame]);
      if (code < 0) throw new BusError(`switch-agent: there is no session ${ref.sessionId}`);
      return loggedFrame(Number(seq), { type: 'agent_switched' }, frame);
    },
    acknowledge: async (ref, { callId, clientId, fence, state }) =>
      (await acknowledge(ref, [callId, clientId ?? '', fence, state, ''])) !== 'refused',
    beginServerCall: (ref, { callId, fence, leaseFence }) => acknowledge(ref, [callId, SERVER_EXECUTOR, fence, 'started', leaseFence]),
    showPreview: async (ref, { callId, clientId, frame }) => {
      const [shown] = await scripts.write('showPreview', ref.sid, [callId, clientId ?? '', frame]);
      return shown === 1;
    },
    giveCall: async (ref, { callId, fence, to }) => {
      const { meta, calls } = keys.session(ref.sid);
      const [reply] = await commands.run('give-call', [['giveCall', meta, calls, callId, fence, to]]);
      return (reply as [number])[0] === 1;
    },
    relay: async (ref, { head, text }) => {
      if (Buffer.byteLength(text) > MAX_RELAYED_BYTES) return;
      await commands.run('relay', [['spublish', keys.session(ref.sid).live, `\x1e${JSON.stringify(head)}\x1e${text}`]]);
    },
    signal: async (ref, signal) => {
      await commands.run('signal', [['spublish', keys.session(ref.sid).live, `\x1e\x1e${JSON.stringify(signal)}`]]);
    },
  };
}
