import { SERVER_FRAMES, type FrameHead, type FrameHeadOf, type ServerFrameType, type CallRecord } from '@codelab/protocol';

/** What becomes of a frame of the log for one client. */
export type Delivery =
  | { readonly kind: 'skip' }
  | { readonly kind: 'send'; readonly text: string }
  /** To be written only after it was noted that this client gets the call. */
  | { readonly kind: 'give'; readonly callId: string; readonly fence: number; readonly text: string }
  /** A call of a tool that its executor does not have: it is not written to it, and answered for it if it would run. */
  | { readonly kind: 'lacking'; readonly callId: string; readonly fence: number; readonly isReady: boolean }
  /** A call was decided and may run: what is sent depends on its record. */
  | { readonly kind: 'decided'; readonly callId: string; readonly text: string };

export const SKIP: Delivery = { kind: 'skip' };

/** `executor`: calls are given to this connection; `standby`: to a newer one of the same client; `observer`: to another client. */
export type Role = 'executor' | 'standby' | 'observer';

/** What a translation needs to know of the client. */
export interface Audience {
  readonly role: Role;
  /** Opt-in frames that the client named. */
  readonly capabilities: ReadonlySet<string>;
  /** The tools that the client can be sent. */
  readonly tools: ReadonlySet<string>;
  /** For a replay: the ids of calls that are still open. */
  readonly openCalls?: ReadonlySet<string> | undefined;
}

const OPT_IN: ReadonlySet<string> = new Set(
  Object.values(SERVER_FRAMES)
    .filter((definition) => 'optIn' in definition && definition.optIn === true)
    .map(({ type }) => type),
);

/** Named by clients that show calls which the servers run; others hear only of those that wait for a decision. */
export const SERVER_CALLS = 'server_calls';

const shared = new Map<string, ReadonlySet<string>>();

/** The opt-in frames, and {@link SERVER_CALLS}, among the names that a client gave. Clients with the same ones share the set. */
export function toCapabilities(names: readonly string[]): ReadonlySet<string> {
  const known = [...new Set(names.filter((name) => OPT_IN.has(name) || name === SERVER_CALLS))].sort();
  const key = known.join(' ');
  const set = shared.get(key) ?? new Set(known);
  shared.set(key, set);
  return set;
}

/** Whether a frame is only for those who named it. */
export const isOptIn = (type: ServerFrameType): boolean => OPT_IN.has(type);

/** Whether a call may be written to `receiver`, as far as its record tells; `giveCall` has the last word. */
export const mayBeGivenTo = (record: CallRecord, receiver: string): boolean => record.givenTo === '' || record.givenTo === receiver;

/** Whether a decision lets its call run. */
export const letsRun = ({ outcome }: FrameHeadOf<'approval_resolved'>): boolean => outcome === 'approved' || outcome === 'edited';

/** What a relayed frame is the newest of: while it waits, another with the same key takes its place. */
export const relayKey = (head: FrameHead): string =>
  head.type === 'tool_output' ? `${head.type}:${head.call_id}:${head.stream}` : head.type;
