import type { ServerFrame, SessionMode, WorkspaceInfo } from '@codelab/protocol';
import type { Approve } from './approvals/approval-request.js';
import type { Backoff } from './connection/backoff.js';
import type { ConnectionState } from './connection/connection-state.js';
import type { LocalPolicy } from './local-policy/local-policy.js';
import type { OpenSocket } from './connection/socket.js';
import type { OnRefused } from './calls/call-ports.js';
import type { Clock } from '@codelab/clock';
import type { ToolExecutor } from './calls/tool-executor.js';
import type { ReadAttachments } from './requests/session-requests.js';

/** Gives messages their place in a trace. */
export interface ClientTraces {
  /** A message goes out: its W3C `traceparent`. */
  message(messageId: string): string | undefined;
  /** The client has closed: sends what was recorded. Never rejects, and takes no longer than two seconds. */
  close(): Promise<void>;
}

/** What a client is made of. */
export interface ClientOptions {
  /** `ws://host:port/ws`: the gateway's endpoint without the session. A function is asked before each connection, after `token`. */
  readonly url: string | (() => string);
  /** An API key or a JWT; a function is asked before each connection, so that a token can be renewed. */
  readonly token: string | (() => string | Promise<string>);
  /** `new`, the default, asks for a fresh session. */
  readonly sessionId?: string;
  /** Names this workspace on this machine: see `clientIdFor`. */
  readonly clientId: string;
  readonly client: { readonly name: string; readonly version: string };
  /** Runs the tools. Without one the client observes and may decide. */
  readonly executor?: ToolExecutor;
  readonly workspace?: WorkspaceInfo;
  /** Where the journals lie, outside any workspace. Made if it isn't there. */
  readonly journalDir: string;
  /** Opt-in frames; all of this release without it. */
  readonly capabilities?: readonly string[];
  readonly model?: string;
  readonly agent?: string;
  /** When the session is joined; a later connection leaves it as it is. */
  readonly mode?: SessionMode;
  readonly vocabulary?: string;
  /** Asks the human. Without it this client decides nothing, and calls that only it could decide are refused. */
  readonly approve?: Approve;
  /** What this client asks about whatever the servers say; see `openLocalPolicy`. Default: the local policy of an empty configuration, which forgets. */
  readonly localPolicy?: LocalPolicy;
  /** Fingerprints of secrets that may leave this machine, asked before each call; every other one is masked. Default: none may. */
  readonly allowedSecrets?: () => Promise<ReadonlySet<string>>;
  /** Reads the files that go with a message, when it is sent: see `MessageOptions.attachments`. */
  readonly readAttachments?: ReadAttachments;
  /** Every frame that counts, in order, with its text: duplicates after a reconnect and frames of unknown type don't come. */
  readonly onFrame?: (frame: ServerFrame, text: string) => void;
  /** A call that this client answered without running it: its local policy, or its human, said no, or it was cancelled before it began. */
  readonly onRefused?: OnRefused;
  readonly onState?: (state: ConnectionState) => void;
  /** Something the user should know and that ends nothing: the journal can't be written, a callback threw. */
  readonly onProblem?: (problem: { readonly event: string; readonly message: string }) => void;
  /** Follows the messages of this client, where it is traced. */
  readonly traces?: ClientTraces;
  readonly backoff?: Backoff;
  readonly openSocket?: OpenSocket;
  readonly clock?: Clock;
}
