import type { Clock } from '@codelab/clock';
import type { Attachment, ServerFrame, SessionMode, WhenBusy } from '@codelab/protocol';
import type { ApprovalAnswer } from '../approvals/approval-request.js';
import type { Backoff } from '../connection/backoff.js';
import type { ConnectionState } from '../connection/connection-state.js';
import type { OpenSocket } from '../connection/socket.js';
import type { SessionView } from '../view/index.js';
import type { SessionRecords } from './session-records.js';

/** What an observer is made of. */
export interface ObserverOptions {
  /** `ws://host:port/ws`: the gateway's endpoint without the session. */
  readonly url: string | (() => string);
  /** `new`, the default, asks for a fresh session. */
  readonly sessionId?: string;
  /** Names this observer; at random without. A tab has one for as long as it lives. */
  readonly clientId?: string;
  readonly client?: { readonly name: string; readonly version: string };
  /** A bearer; a function is asked before each connection. Without one the page's cookie says who it is. */
  readonly token?: string | (() => string | Promise<string>);
  /** What frames don't carry. Without it messages of other windows have no text, and older parts of the conversation can't be had. */
  readonly records?: SessionRecords;
  /** Of a fresh session, or for one that is joined. */
  readonly agent?: string;
  readonly model?: string;
  readonly mode?: SessionMode;
  readonly vocabulary?: string;
  /** Hears each change of the view. */
  readonly onView?: (view: SessionView) => void;
  readonly onState?: (state: ConnectionState) => void;
  /** Every frame that counts, in order. */
  readonly onFrame?: (frame: ServerFrame) => void;
  /** Default: that of the platform, as in a page. */
  readonly openSocket?: OpenSocket;
  readonly backoff?: Backoff;
  readonly clock?: Clock;
}

/** A message as a person writes it. */
export interface NewMessage {
  readonly content: string;
  readonly whenBusy?: WhenBusy;
  /** With their content: an observer has no files. */
  readonly attachments?: readonly Attachment[];
  readonly agent?: string;
  readonly model?: string;
  /** The key that makes a repeat harmless; a new one without it. */
  readonly messageId?: string;
}

/** An answer to a question. `argsSha256`: the digest that was shown; where the call has other arguments by now, nothing is decided. */
export type Decision = ApprovalAnswer & { readonly argsSha256?: string };
