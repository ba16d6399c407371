import type { ApprovalAnswer, SessionView } from '@codelab/client/view';
import type { Attachment, MessageCommand, SessionMode, WhenBusy } from '@codelab/protocol';
import type { PortFacts } from './port-facts.js';
import type { Question, QuestionAnswer } from './question.js';

/**
 * Who holds a session for the components: a page's own connection, or an extension host behind a webview. All that changes is told by one
 * subscription; `view`, `questions` and `facts` return the same value until something of it has changed.
 *
 * A promise is fulfilled when the servers have taken what was asked for, and rejected with an `Error` whose message says what was wrong and
 * what to do; `code` is then that of the frame, where there is one. Components show the message, and let people try again.
 */
export interface SessionPort {
  view(): SessionView;
  /** @returns what ends the subscription */
  subscribe(listener: () => void): () => void;
  /** The message shows in the view at once, by an event `message_sent`. */
  send(message: OutgoingMessage): Promise<void>;
  /** Asks the turn that runs to stop. `queue`: what waits is thrown away, too. */
  cancel(options?: { readonly queue?: boolean }): Promise<void>;
  /** Takes a message out of the queue, or out of what is about to go into the turn. */
  removeQueued(messageId: string): Promise<void>;
  /** Answers a call that waits. The call, its digest and its preview stand in the view; a refusal leaves it waiting. */
  decide(callId: string, answer: Decision): Promise<void>;
  /** Takes another agent, mode or model: what is absent stays. The model counts from the next message on. */
  choose(what: SessionChoice): Promise<void>;
  /** Loads items older than the first of the view; it is there when the promise is fulfilled. Called only while `view().historyCursor` is there. */
  loadOlder(): Promise<void>;

  /** What only the human at the executor answers, oldest first; absent at every other client. */
  questions?(): readonly Question[];
  answer?(id: string, answer: QuestionAnswer): Promise<void>;

  /** The pictures that came of a call; rejected with `UNKNOWN_CALL` as long as its result isn't known. */
  loadImages?(callId: string): Promise<readonly LoadedImage[]>;
  /** What the call would do with these arguments; rejected with what is wrong with them. */
  previewArguments?(callId: string, args: Readonly<Record<string, unknown>>): Promise<{ readonly kind: string; readonly text: string }>;
  /** Paths of the workspace that a mention `@path` may become, best first; of the first 50 at most. A folder ends in `/`. */
  completePath?(path: string): Promise<readonly string[]>;
  /** Shows a file of the workspace. `line` counts from 1. */
  openFile?(path: string, line?: number): void;
  /** Shows what a call would change, or has changed, in the host's own diff editor. */
  openDiff?(callId: string): void;
  /** Opens an `http:`, `https:` or `mailto:` address; without it links are plain links of a browser. */
  openLink?(url: string): void;
  facts?(): PortFacts;
}

/** A picture: its media type as somebody says, and base64 of it. */
export interface LoadedImage {
  readonly mediaType: string;
  readonly data: string;
}

/** An answer to a question. `argsSha256`: the digest that was shown; where the call has other arguments by now, nothing is decided (H2). */
export type Decision = ApprovalAnswer & { readonly argsSha256?: string | undefined };

/** What the human says. */
export interface OutgoingMessage {
  /** At most `LIMITS.MAX_MESSAGE_CHARACTERS` code points. */
  readonly content: string;
  /** While a turn runs; `enqueue` without. */
  readonly whenBusy?: WhenBusy;
  /** Files that go with it. Those without content are read by the executor's host when the message is sent; `content` of an image is base64. */
  readonly attachments?: readonly Attachment[];
  /** The message is for the service, not for the model. */
  readonly command?: MessageCommand;
}

/** What can be chosen for a session. */
export interface SessionChoice {
  readonly agent?: string;
  readonly mode?: SessionMode;
  readonly model?: string;
}
