import type { ModelRequest } from '../canonical/message.js';
import type { Quirks } from '../quirks.js';
import type { Usage } from '../canonical/stream-part.js';
import type { ToolNames } from '../names/tool-names.js';

/** A caller's request in canonical form, and how the answer is wanted. */
export interface DecodedRequest {
  readonly request: ModelRequest;
  readonly stream: boolean;
  /** The caller reads usage in the stream. Chat callers ask for it; the other dialects always have it. */
  readonly includeUsage: boolean;
  /** What the dialect needs of the request to write the answer; nobody else looks into it. It goes into `AnswerMeta.echo`. */
  readonly echo?: object;
  /** What was left out because no other vendor's model can use it: sentences for the log. */
  readonly notes?: readonly string[];
}

/** How strictly a request is judged. */
export interface CheckOptions {
  /** Results of calls that the conversation doesn't have are taken, as text of the user. */
  readonly lenient?: boolean;
}

/** What an answer says about itself besides its content. */
export interface AnswerMeta {
  readonly id: string;
  /** The name that the caller asked for. */
  readonly model: string;
  /** Seconds since 1970. */
  readonly created: number;
  readonly includeUsage: boolean;
  /** From the decoded request: `/v1/responses` can't be answered without. */
  readonly echo?: object;
}

/** Where a relayed request goes. */
export interface RelayTarget {
  /** The upstream's name of the model. */
  readonly model: string;
  readonly quirks: Quirks;
  readonly stream: boolean;
}

/** A caller's body, made fit for an upstream of the same dialect. */
export interface PreparedRelay {
  readonly text: string;
  /** Only where some tool name had to be changed: turns the names of the answer back. */
  readonly names?: ToolNames;
  /** Calls after the first one are to be left out of the answer: the server can't be told. Goes into `WatchOptions`. */
  readonly onlyFirstCall?: boolean;
  /** Fields that the server couldn't be told, such as `tool_choice`: for log and header. */
  readonly unenforced?: readonly string[];
}

/** A JSON answer of an upstream as the caller gets it. */
export interface RelayedText {
  readonly text: string;
  readonly usage?: Usage;
}

/** How a relayed stream is watched. */
export interface WatchOptions {
  readonly names?: ToolNames;
  /** The caller didn't ask for the usage that the upstream was asked for. */
  readonly swallowUsage?: boolean;
  /** Calls after the first one are left out. */
  readonly onlyFirstCall?: boolean;
}

/** An error as an HTTP answer. */
export interface EncodedError {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: object;
}
