import { ConnectionClosedError, type Approve, type CodeLabClient, type ConnectionState, type ToolExecutor } from '@codelab/client';
import { readHistory, ToldSettings, type SessionEvent, type SessionView } from '@codelab/client/view';
import type { ServerFrame } from '@codelab/protocol';
import { CommandError } from '../../core/command-error.js';
import type { SessionChoices } from '../../core/session/permission-mode.js';
import { readSessionSummary } from '../../core/sessions/session-summary.js';
import { connectSession } from '../session/connect-session.js';
import { SessionApi } from '../sessions/session-api.js';
import type { ChatPlace } from './chat-place.js';
import { later } from './later.js';

/** In the place of a message of another window that this one may not read. */
const UNREADABLE = '(sent by another window)';

interface Ports {
  readonly place: ChatPlace;
  readonly human: { readonly approve: Approve; endTurn(): void };
  readonly tell: (event: SessionEvent) => void;
  readonly view: () => SessionView;
  /** The connection is over for good. */
  readonly end: (why: CommandError) => void;
}

/** The session that a chat talks in, one after the other. One that was left is heard no more. */
export class Conversation {
  private joined: CodeLabClient | undefined;
  private live = later<CodeLabClient>();
  /** Counts the sessions that were joined. */
  private round = 0;
  private readonly settings = new ToldSettings();
  /** Gives up the connection that is being made. */
  private leaving = new AbortController();

  constructor(private readonly ports: Ports) {}

  /** The connection to the session; none before it stands. */
  get client(): CodeLabClient | undefined {
    return this.joined;
  }

  /** The same, once it stands. */
  get connection(): Promise<CodeLabClient> {
    return this.live.promise;
  }

  /** Begins to talk in a session; `new`: in a fresh one. Throws `CommandError` if that can't be. */
  async join(sessionId: string, executor: ToolExecutor, choices: SessionChoices | undefined): Promise<CodeLabClient> {
    const { place, human, tell } = this.ports;
    const round = (this.round += 1);
    const { signal } = (this.leaving = new AbortController());
    const isHeard = (): boolean => round === this.round;
    const client = await connectSession({
      ...place,
      ...{ sessionId, choices, executor, approve: human.approve, signal },
      onFrame: (frame) => isHeard() && this.hear(frame),
      onState: (state) => isHeard() && this.follow(state),
      tell: (event) => isHeard() && tell(event),
    });
    if (!isHeard()) {
      await client.close();
      throw new CommandError('It was left before it was connected.');
    }
    this.joined = client;
    if (sessionId !== 'new') await this.recall(client.sessionId);
    this.live.resolve(client);
    return client;
  }

  /** Hears no more of the session, and lets go of it; of one, too, that is still being joined. */
  async leave(): Promise<void> {
    const client = this.joined;
    this.leaving.abort();
    this.ports.human.endTurn();
    this.round += 1;
    this.live = later();
    this.joined = undefined;
    await client?.close();
  }

  /** Which agent, model and mode the conversation was left with. Frames tell it only when it changes. */
  private async recall(sessionId: string): Promise<void> {
    const current = this.settings.begin();
    const session = await new SessionApi(this.ports.place.gateway).show(sessionId).catch(() => undefined); // a token may not be allowed to ask
    const { agent, model, mode } = readSessionSummary(session);
    this.ports.tell({ kind: 'chose', model: model || undefined, ...current({ agent, mode }), atMs: Date.now() });
  }

  private hear(frame: ServerFrame): void {
    this.settings.hear(frame);
    this.ports.tell({ kind: 'frame', frame, atMs: Date.now() });
    if (frame.type === 'turn_ended') this.ports.human.endTurn();
    if (frame.type === 'turn_started' || frame.type === 'turn_steered') void this.findMessages(frame.message_ids);
  }

  /** Frames only name messages: the text of those that another window sent is asked for. */
  private async findMessages(ids: readonly string[]): Promise<void> {
    const isShown = (id: string): boolean => this.ports.view().items.some((item) => item.kind === 'user' && item.messageId === id);
    const missing = new Set(ids.filter((id) => !isShown(id)));
    const sessionId = this.joined?.sessionId;
    if (missing.size === 0 || sessionId === undefined) return;
    for (const messageId of missing) this.ports.tell({ kind: 'message_named', messageId, atMs: Date.now() });
    const history = await new SessionApi(this.ports.place.gateway).latest(sessionId).catch(() => []); // a token may not be allowed to ask
    if (sessionId !== this.joined?.sessionId) return;
    const found = readHistory(history).filter((item) => item.kind === 'user');
    for (const messageId of missing) {
      const { content, attachments } = found.find((item) => item.messageId === messageId) ?? { content: UNREADABLE };
      this.ports.tell({ kind: 'message_found', messageId, content, attachments, atMs: Date.now() });
    }
  }

  private follow(state: ConnectionState): void {
    if (state.kind === 'closed' && state.reason.kind !== 'closed')
      return this.ports.end(new CommandError(state.reason.message, 1, { cause: new ConnectionClosedError(state.reason) }));
    const before = this.ports.view().link;
    const link = state.kind === 'live' || state.kind === 'replaying' ? 'open' : before === 'connecting' ? 'connecting' : 'lost';
    this.ports.tell({ kind: 'link', link, atMs: Date.now() });
  }
}
