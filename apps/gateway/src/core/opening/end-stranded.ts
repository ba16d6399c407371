import type { SessionMeta, SessionRef } from '@codelab/bus';
import type { CallRecord, JournalledCall, ToolErrorCode } from '@codelab/protocol';
import type { GatewayPorts } from '../gateway-ports.js';
import { readCallFrame } from '../delivery/present-call.js';

/** What a `resume` lists at most, calls without an end first: a journal that has as many of those may know more. */
const REPORTED_CALLS = 32;

/** A client that executed, and comes back while another does. */
export interface Returning {
  readonly clientId: string;
  /** What its journal says; absent where it said nothing. */
  readonly calls?: readonly JournalledCall[];
}

/**
 * Ends the calls that were given to a client which comes back when another has become the executor. Nobody else may run them (R2), and it is
 * given none any more, so they would stay open for good. What it runs or has done it answers itself. Rejects with `BusError`.
 */
export async function endStranded({ store, children }: GatewayPorts, { ref, executor }: SessionMeta, returning: Returning): Promise<void> {
  if (executor === returning.clientId) return;
  const [running = []] = await children.of([ref]);
  await Promise.all([ref, ...running].map((session) => endThoseOf(store, session, returning)));
}

async function endThoseOf(store: GatewayPorts['store'], session: SessionRef, { clientId, calls }: Returning): Promise<void> {
  for (const record of await store.readCalls(session.sid)) {
    const error = record.state === 'ready' && record.givenTo === clientId ? errorOf(record, calls) : undefined;
    if (error === undefined) continue;
    const { callId, fence } = record;
    const frame = JSON.stringify({ type: 'tool_result', call_id: callId, error, fence });
    await store.settleCall(session, { callId, fence, clientId, frame, errorCode: error.code });
  }
}

/** What is true of a call that this client can't begin any more; `undefined` where it may say so itself. */
function errorOf(record: CallRecord, calls: readonly JournalledCall[] | undefined): { code: ToolErrorCode; message: string } | undefined {
  const { tool_name, idempotency } = readCallFrame(record);
  const known = calls?.find(({ call_id }) => call_id === record.callId)?.state;
  if (idempotency === 'safe' || known === 'started' || known === 'done') return undefined;
  if (record.progress === 'started' && known !== 'unknown') return undefined; // it may run on there: its deadline ends it
  if (known === 'received') return { code: 'CANCELLED', message: `${tool_name} was not begun: another client executes now.` };
  if (known === undefined && mayHaveIt(record, calls)) return undefined;
  return {
    code: 'OUTCOME_UNKNOWN',
    message: `${tool_name} was given to a client that is back and knows nothing of its end. Look at what it did.`,
  };
}

/** Whether a client whose journal doesn't name a call may have it: there was no room, or it keeps its calls to itself. */
const mayHaveIt = ({ progress }: CallRecord, calls: readonly JournalledCall[] | undefined): boolean =>
  calls === undefined ? progress !== '' : calls.filter(({ state }) => state !== 'done').length >= REPORTED_CALLS;
