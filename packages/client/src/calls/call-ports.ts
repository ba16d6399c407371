import type { Clock } from '@codelab/clock';
import type { ClientFrame, ToolErrorCode } from '@codelab/protocol';
import type { Approve } from '../approvals/approval-request.js';
import type { Journal } from '../journal/journal.js';
import type { CallPlace, LocalPolicy } from '../local-policy/local-policy.js';
import type { PendingRequests } from '../requests/pending-requests.js';
import type { ToolExecutor } from './tool-executor.js';

/** Hears of a call that this client answered without running it, and why. */
export type OnRefused = (callId: string, error: { readonly code: ToolErrorCode; readonly message: string }) => void;

/** What the calls of a session need of their client. */
export interface CallPorts {
  readonly executor: ToolExecutor | undefined;
  readonly localPolicy: LocalPolicy;
  /** The session and the workspace that calls come from. */
  readonly place: () => CallPlace;
  /** The servers speak version 2.1, so results have what it adds. */
  readonly additions: () => boolean;
  readonly approve: Approve | undefined;
  readonly requests: PendingRequests;
  /** There is one before a call comes in, for a client that executes. */
  readonly journal: () => Journal | undefined;
  readonly clock: Clock;
  /** Sends a frame that nothing answers, if a connection is open. */
  readonly send: (frame: ClientFrame) => void;
  /** Bytes that wait for the network. */
  readonly buffered: () => number;
  /** The fingerprints of secrets that may be shown. Never rejects. */
  readonly allowedSecrets: () => Promise<ReadonlySet<string>>;
  /** Secrets of this client's own, which are masked whatever their shape. */
  readonly knownSecrets: () => readonly string[];
  readonly onRefused: OnRefused;
  readonly onProblem: (event: string, message: string) => void;
}
