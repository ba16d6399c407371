import { CodeLabClient, ConnectionClosedError, RefusedError, type ClientOptions, type ConnectionState } from '@codelab/client';
import { MessageFinder, restRecords, type LoadedImage, type SessionRecords, type Untimed } from '@codelab/client/observer';
import { EMPTY_VIEW, reduceSession, type SessionEvent, type SessionView } from '@codelab/client/view';
import type { Attachment, ServerFrame, SessionMode } from '@codelab/protocol';
import type { Decision, OutgoingMessage, SessionChoice } from '@codelab/ui/port';
import type { Place } from '../place/place.js';

/** Items of a page of the conversation that are asked for at a time. */
const OLDER_ITEMS = 100;

/** What a conversation needs of the window. */
export interface ConversationParts extends Pick<
  ClientOptions,
  | 'clientId'
  | 'client'
  | 'executor'
  | 'workspace'
  | 'journalDir'
  | 'approve'
  | 'localPolicy'
  | 'allowedSecrets'
  | 'readAttachments'
  | 'openSocket'
> {
  readonly place: Place;
  /** Files that a message mentions, read. */
  readonly readMentioned: (content: string) => Promise<readonly Attachment[]>;
  /** Hears frames, after the view has them. */
  readonly onFrame?: (frame: ServerFrame) => void;
  /** The connection is over for good. */
  readonly onClosed?: (message: string) => void;
}

/** What a conversation begins with. */
export interface Beginning {
  readonly sessionId: string;
  readonly model?: string;
  readonly mode?: SessionMode;
  readonly agent?: string;
}

/** One session of this window: connected as its executor, and reduced to a view. */
export class Conversation {
  private readonly client: CodeLabClient;
  private readonly messages: MessageFinder;
  private readonly listeners = new Set<() => void>();
  private shown: SessionView = EMPTY_VIEW;
  /** The model of the messages to come, where one was chosen. */
  private model: string | undefined;
  private older: Promise<void> | undefined;

  constructor(
    private readonly parts: ConversationParts,
    beginning: Beginning,
  ) {
    const { place, readMentioned: _r, onFrame: _f, onClosed: _c, ...options } = parts;
    const { sessionId, model, mode, agent } = beginning;
    this.messages = new MessageFinder({ ...this.records, history: (id, page) => this.records.history(id, page) }, (event) =>
      this.tell(event),
    );
    this.client = new CodeLabClient({
      ...options,
      url: () => place.ws,
      token: async () => {
        await place.follow();
        return place.token;
      },
      ...{ sessionId, model, mode, agent },
      onFrame: (frame) => this.hear(frame),
      onState: (state) => this.follow(state),
      onRefused: (callId, error) => this.tell({ kind: 'call_finished', callId, error }),
      onProblem: ({ message }) => this.tell({ kind: 'notice', tone: 'warning', text: message }),
    });
    if (mode !== undefined) this.tell({ kind: 'chose', mode });
  }

  /** `new` until it is connected. */
  get sessionId(): string {
    return this.client.sessionId;
  }

  readonly view = (): SessionView => this.shown;

  readonly subscribe = (listener: () => void): (() => void) => {
    this.listeners.add(listener);
    return () => void this.listeners.delete(listener);
  };

  /** Resolves when the session is live. Rejects with words for a person when it can't be. */
  async connect(): Promise<void> {
    await this.client.connect();
    await this.recall();
  }

  /** Tells the view of something that happened on this machine. */
  tell(event: Untimed<SessionEvent>): void {
    const before = this.shown;
    this.shown = reduceSession(before, { ...event, atMs: Date.now() });
    if (this.shown !== before) for (const listener of [...this.listeners]) listener();
  }

  /** Says something, with the files that it mentions. */
  async send({ content, whenBusy, attachments = [], command }: OutgoingMessage): Promise<void> {
    const mentioned = await this.parts.readMentioned(content);
    const others = mentioned.filter((one) => !attachments.some(({ path, lines }) => path === one.path && lines === one.lines));
    const all = [...attachments, ...others];
    const messageId = crypto.randomUUID();
    this.tell({ kind: 'message_sent', messageId, content, attachments: all, whenBusy });
    try {
      await this.client.sendMessage(content, { messageId, attachments: all, whenBusy, command, model: this.model });
    } catch (error) {
      if (error instanceof RefusedError && error.unsent)
        this.tell({ kind: 'frame', frame: { type: 'error', ...fieldsOf(error), reply_to: messageId } });
      throw error;
    }
  }

  async cancel(options: { readonly queue?: boolean } = {}): Promise<void> {
    this.tell({ kind: 'cancel_sent' });
    await this.client.cancel(undefined, options);
  }

  removeQueued(messageId: string): Promise<void> {
    return this.client.removeQueued(messageId);
  }

  /** Decides a call that the servers wait for. */
  async decide(callId: string, { argsSha256, ...answer }: Decision): Promise<void> {
    const call = this.shown.items.find((item) => item.kind === 'call' && item.callId === callId);
    if (argsSha256 !== undefined && call?.kind === 'call' && call.argsSha256 !== argsSha256)
      throw new Error('The call has other arguments by now: look at it again. Nothing was decided.');
    await this.client.decide(callId, answer);
  }

  async choose({ agent, model, mode }: SessionChoice): Promise<void> {
    if (agent !== undefined && agent !== this.shown.agent) await this.client.switchAgent(agent);
    if (mode !== undefined) await this.records.change(this.sessionId, { mode });
    if (model !== undefined) this.model = model;
    this.tell({ kind: 'chose', model, mode });
  }

  loadOlder(): Promise<void> {
    this.older ??= this.readOlder().finally(() => (this.older = undefined));
    return this.older;
  }

  /** The pictures that came of a call, as the servers keep them. */
  loadImages(callId: string): Promise<readonly LoadedImage[]> {
    return this.records.images(this.sessionId, callId);
  }

  /** Lets go of it. Never rejects. */
  async close(): Promise<void> {
    this.listeners.clear();
    await this.client.close();
  }

  private get records(): SessionRecords {
    const { http, token } = this.parts.place;
    return restRecords({ origin: http, headers: { authorization: `Bearer ${token}` } });
  }

  private hear(frame: ServerFrame): void {
    this.tell({ kind: 'frame', frame });
    if (frame.type === 'turn_started' || frame.type === 'turn_steered')
      void this.messages.find(this.sessionId, frame.message_ids, this.shown);
    this.parts.onFrame?.(frame);
  }

  private follow(state: ConnectionState): void {
    const before = this.shown.link;
    const isOpen = state.kind === 'live' || state.kind === 'replaying';
    const link = isOpen ? 'open' : state.kind === 'closed' ? 'closed' : before === 'connecting' ? 'connecting' : 'lost';
    this.tell({ kind: 'link', link });
    if (state.kind === 'closed' && state.reason.kind !== 'closed') this.parts.onClosed?.(state.reason.message);
  }

  private async recall(): Promise<void> {
    const session = await this.records.show(this.sessionId).catch(() => undefined); // a token may not be allowed to ask
    if (session === undefined) return;
    this.tell({ kind: 'chose', agent: session.agent || undefined, model: session.model || undefined, mode: session.mode || undefined });
  }

  private async readOlder(): Promise<void> {
    const { historyCursor: cursor } = this.shown;
    if (cursor === undefined) return;
    const { items, cursor: next } = await this.records.history(this.sessionId, { cursor, limit: OLDER_ITEMS });
    if (this.shown.historyCursor === cursor) this.tell({ kind: 'history_read', history: items, cursor: next });
  }
}

const fieldsOf = ({ code, message, retryable }: RefusedError) => ({ code, message, retryable });

/** Whether an error says that the connection is over for good. */
export const isOver = (error: unknown): boolean => error instanceof ConnectionClosedError;
