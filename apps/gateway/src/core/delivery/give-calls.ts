import type { CallRecord, ToolErrorCode } from '@codelab/protocol';
import type { SessionRef, SessionCalls } from '@codelab/bus';
import { argsDigest } from '@codelab/tools';
import { mayBeGivenTo, type Delivery } from './delivery.js';
import type { DoubtfulGives } from './doubtful-gives.js';
import { isOpen, presentCall, readCallFrame } from './present-call.js';

/** Whom a call is written to. */
export interface Receiver {
  readonly audience: 'hello' | 'seed';
  /** What the store notes: `client_id`, or `seed:<connection>`. */
  readonly name: string;
  /** Absent for a seed client. */
  readonly clientId?: string;
  /** The tools that it can be sent. */
  readonly tools: ReadonlySet<string>;
  /** What it may have been given without being written it. */
  readonly doubts: DoubtfulGives;
}

/** Answers a call in the place of an executor that is not sent it: the model reads why, instead of waiting. */
async function answerInstead(
  store: Pick<SessionCalls, 'settleCall'>,
  ref: SessionRef,
  { clientId }: Pick<Receiver, 'clientId'>,
  { callId, fence }: Pick<CallRecord, 'callId' | 'fence'>,
  error: { readonly code: ToolErrorCode; readonly message: string },
): Promise<void> {
  const frame = JSON.stringify({ type: 'tool_result', call_id: callId, error, fence });
  await store.settleCall(ref, { callId, fence, clientId, frame, errorCode: error.code });
}

/** Of a call that may run. A question waits on: it may be decided, or the session gets another executor. */
const LACKING = { code: 'TOOL_NOT_FOUND', message: 'The client that runs the tools does not have this one.' } as const;

const LOST = {
  code: 'INVALID_ARGUMENTS',
  message: 'The store lost a part of the arguments of this call. Nothing was done: call it again.',
} as const;

/** Whether the store lost a part of what the receiver would run unseen: only who says `hello` compares the digest itself (H2). */
const isLost = (record: CallRecord, { audience }: Receiver): boolean =>
  audience === 'seed' && argsDigest(JSON.parse(record.decision?.args ?? readCallFrame(record).args.text)) !== record.argsSha256;

/** Whether llm-proxy runs the call: whoever is shown it only decides it. */
export const isServers = (record: CallRecord): boolean => readCallFrame(record).runs_at === 'server';

/**
 * Notes that a call is about to be written to its executor, where that must be known: unsafe calls that may run, and every call of a client
 * that never says what it begins. `false`: it is another's, or over; it must not be written (R2).
 */
const noteGiven = async (store: SessionCalls, ref: SessionRef, record: CallRecord, receiver: Receiver): Promise<boolean> => {
  const { audience, name } = receiver;
  const isSafe = readCallFrame(record).idempotency === 'safe';
  const reassignable = audience === 'seed' && isSafe;
  if (!mayBeGivenTo(record, name) && !reassignable) return false;
  if (audience === 'hello' && (isSafe || record.state !== 'ready')) return true;
  return giveTo(store, ref, receiver, record);
};

const giveTo = (
  store: SessionCalls,
  ref: SessionRef,
  { name, doubts }: Receiver,
  { callId, fence }: Pick<CallRecord, 'callId' | 'fence'>,
): Promise<boolean> => doubts.giving(callId, () => store.giveCall(ref, { callId, fence, to: name }));

/**
 * The open calls that an executor is to be given again, as `tool_call` frames in their present state. What was written to another stays
 * with that one; of a seed client's unsafe calls only those that nobody was given come again (R2).
 * @param calls all of the session, and the ids of those that the client has just been sent
 */
export async function redeliverCalls(
  store: SessionCalls,
  ref: SessionRef,
  receiver: Receiver,
  calls: { readonly records: readonly CallRecord[]; readonly sent: ReadonlySet<string> },
): Promise<readonly string[]> {
  const frames = new Map<string, string>();
  const present = async (record: CallRecord): Promise<void> => {
    if (!isOpen(record) || calls.sent.has(record.callId)) return;
    if (isServers(record)) {
      if (record.state === 'waiting_approval' && receiver.audience === 'hello')
        frames.set(record.callId, presentCall(record, 'hello', true));
    } else if (!receiver.tools.has(readCallFrame(record).tool_name)) {
      if (record.state === 'ready') await answerInstead(store, ref, receiver, record, LACKING);
    } else if (isLost(record, receiver)) await answerInstead(store, ref, receiver, record, LOST);
    else if (await noteGiven(store, ref, record, receiver)) frames.set(record.callId, presentCall(record, receiver.audience, true));
  };
  try {
    for (const record of calls.records) await present(record);
  } catch (error) {
    receiver.doubts.doubt(...frames.keys());
    throw error;
  }
  return [...frames.values()];
}

/**
 * The frame by which an executor hears that a call was decided and may run. A client that said `hello` gets the logged frame, a seed client
 * the call with the arguments to run. `undefined`: the call was written to another, so it is not for this one.
 */
async function deliverDecision(
  store: SessionCalls,
  ref: SessionRef,
  receiver: Receiver,
  decision: { readonly callId: string; readonly text: string },
): Promise<string | undefined> {
  const record = (await store.readCalls(ref.sid)).find(({ callId }) => callId === decision.callId);
  const over = record === undefined || record.state !== 'ready';
  if (over || isServers(record)) return receiver.audience === 'hello' ? decision.text : undefined;
  if (!receiver.tools.has(readCallFrame(record).tool_name)) {
    await answerInstead(store, ref, receiver, record, LACKING);
    return receiver.audience === 'hello' ? decision.text : undefined;
  }
  if (isLost(record, receiver)) {
    await answerInstead(store, ref, receiver, record, LOST);
    return undefined;
  }
  if (!(await noteGiven(store, ref, record, receiver))) return undefined;
  return receiver.audience === 'hello' ? decision.text : presentCall(record, 'seed', false);
}

/** Does what a delivery asks of the store before it is written, and answers the text to write, if there is one. */
export async function resolveDelivery(
  store: SessionCalls,
  ref: SessionRef,
  receiver: Receiver,
  delivery: Delivery,
): Promise<string | undefined> {
  switch (delivery.kind) {
    case 'skip':
      return undefined;
    case 'send':
      return delivery.text;
    case 'give':
      return (await giveTo(store, ref, receiver, delivery)) ? delivery.text : undefined;
    case 'lacking':
      if (delivery.isReady) await answerInstead(store, ref, receiver, delivery, LACKING);
      return undefined;
    case 'decided':
      return deliverDecision(store, ref, receiver, delivery);
  }
}
