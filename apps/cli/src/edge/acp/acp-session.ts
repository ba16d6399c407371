import type { ContentBlock, McpServer, PromptResponse, SessionConfigOption } from '@agentclientprotocol/sdk';
import type { CodeLabClient } from '@codelab/client';
import type { SessionEvent, SessionView } from '@codelab/client/view';
import { assertCarried, type Workspace } from '@codelab/workspace';
import { realpath } from 'node:fs/promises';
import { isAbsolute, join } from 'node:path';
import { pathInWorkspace } from '../../core/acp/path-in-workspace.js';
import { readPrompt } from '../../core/acp/prompt-content.js';
import { toModes, type OptionId } from '../../core/acp/session-options.js';
import { readSessionInfo } from '../../core/acp/session-info.js';
import { stopReasonOf } from '../../core/acp/stop-reason.js';
import { CommandError } from '../../core/command-error.js';
import { Conversation } from '../chat/conversation.js';
import type { ChatMcp } from '../chat/chat-mcp.js';
import { chooseWorkspace, type ChosenWorkspace } from '../session/choose-workspace.js';
import { localExecutor } from '../session/local-executor.js';
import { MessageFiles } from '../session/message-files.js';
import { watchRun } from '../session/watch-executor.js';
import { SessionApi } from '../sessions/session-api.js';
import { PromptError } from './acp-errors.js';
import type { AcpPlace } from './acp-place.js';
import type { Editor } from './editor.js';
import { openEditorMcp } from './editor-mcp.js';
import { editorOpenFiles } from './editor-open-files.js';
import { EditorTerminals } from './editor-terminals.js';
import { HumanInEditor } from './human-in-editor.js';
import { SessionCommands } from './session-commands.js';
import { SessionSettings } from './session-settings.js';
import { SessionTeller } from './session-teller.js';
import { TurnWaits } from './turn-waits.js';

/** What a session of an editor is opened with. */
export interface SessionRequest {
  /** `new`, or a conversation that goes on. */
  readonly sessionId: string;
  /** Absolute. */
  readonly cwd: string;
  readonly mcpServers: readonly McpServer[];
  /** What was said is told to the editor again. */
  readonly replays: boolean;
}

interface Parts {
  readonly place: AcpPlace;
  readonly editor: Editor;
  readonly chosen: ChosenWorkspace;
  readonly sessionId: string;
}

/** Leaving must not hang on a gateway that is away. */
const CLOSE_MS = 1_500;

/** One session of an editor: a conversation, whose tools run here and whose questions are put to the editor. */
export class AcpSession {
  readonly settings: SessionSettings;
  private readonly teller: SessionTeller;
  private readonly human: HumanInEditor;
  private readonly conversation: Conversation;
  private readonly turns: TurnWaits;
  private readonly terminals: EditorTerminals;
  private readonly own = new Set<string>();
  private workspace: Workspace | undefined;
  private mcp: ChatMcp | undefined;
  private files: MessageFiles | undefined;
  private commands: SessionCommands | undefined;
  private ended: Error | undefined;
  private titled = false;
  private isAway = false;
  private closing: Promise<void> | undefined;

  private constructor(private readonly parts: Parts) {
    const { place, editor, chosen, sessionId } = parts;
    const { root } = chosen.identity;
    this.terminals = new EditorTerminals(editor);
    const calls = { toPath: (path: string) => join(root, path), terminalOf: (callId: string) => this.terminals.terminalOf(callId) };
    this.teller = new SessionTeller({
      place: {
        ...calls,
        isOwn: (messageId) => this.own.has(messageId),
        notices: editor.abilities.notices,
        compactions: editor.abilities.compactions,
      },
      send: (update) => editor.update(update),
      onView: (view, before) => this.settings.follow(view, before),
    });
    this.settings = new SessionSettings({ place, editor, client: () => this.client, teller: this.teller });
    this.human = new HumanInEditor({
      ...{ editor, teller: this.teller, place: calls },
      dismissed: () => void this.cancel(),
      free: () => this.settings.set('mode', 'accept-edits').then(() => undefined),
    });
    this.turns = new TurnWaits(() => this.client);
    this.conversation = new Conversation({
      place: { ...place, workspace: chosen, sessionId },
      human: this.human,
      tell: (event) => this.tell(event),
      view: () => this.teller.view,
      end: (why) => this.end(why),
    });
  }

  /** Opens a session and connects it. Throws what says why that can't be; nothing is left of it then. */
  static async open({ sessionId, cwd, mcpServers, replays }: SessionRequest, place: AcpPlace, editor: Editor): Promise<AcpSession> {
    if (!isAbsolute(cwd)) throw new PromptError(`cwd is ${JSON.stringify(cwd)}: it has to be an absolute path.`);
    const chosen = await chooseWorkspace(await realpath(cwd).catch(() => cwd), place.dataDir);
    if (sessionId !== 'new') editor.name(sessionId); // its open calls may come before anything else
    const session = new AcpSession({ place, editor, chosen, sessionId });
    try {
      await session.connect(sessionId, mcpServers);
      if (replays) await session.recall();
      return session;
    } catch (error) {
      await session.close();
      throw error;
    }
  }

  get id(): string {
    return this.client.sessionId;
  }

  /** What the editor is told of the session in the answer that opens it. */
  describe(): { readonly modes: ReturnType<typeof toModes>; readonly configOptions: SessionConfigOption[] } {
    return { modes: toModes(this.settings.options), configOptions: this.settings.configOptions };
  }

  /** Tells the editor what was said so far; it hears from now on what happens. */
  replay(): void {
    this.teller.begin(true);
  }

  /** The editor knows the session: it hears what happens, what can be entered, and what is asked. */
  async begin(): Promise<void> {
    this.teller.begin(false);
    this.parts.editor.open();
    await this.commands?.offer();
  }

  /** Carries a prompt out, to the end of its turn. Throws what the editor shows in the place of an answer. */
  async prompt(blocks: readonly ContentBlock[]): Promise<PromptResponse> {
    if (this.ended !== undefined) throw this.ended;
    const { files, commands, mcp } = this;
    if (files === undefined || commands === undefined) throw new CommandError('The session is closed.');
    const { root } = this.parts.chosen.identity;
    const turn = this.turns.begin();
    try {
      const content = readPrompt(blocks, { toWorkspacePath: (uri) => pathInWorkspace(uri, root) });
      await Promise.race([mcp?.started, turn.cancelled]);
      const step = await commands.read(content.text);
      if (step.kind === 'answered') return { stopReason: 'end_turn' };
      const mentioned = await files.ofMessage(step.mentions ?? step.text);
      const attachments = [...content.attachments, ...mentioned, ...(step.attachments ?? [])];
      assertCarried(attachments);
      this.own.add(turn.messageId);
      const { text, model = this.settings.chosenModel, command } = step;
      this.tell({ kind: 'message_sent', messageId: turn.messageId, content: text, attachments, atMs: Date.now() });
      const ended = await turn.send(text, { attachments, model, command });
      this.teller.flush();
      if (ended === 'cancelled') return { stopReason: 'cancelled' };
      if (ended.status === 'failed') throw new PromptError(ended.error?.message ?? 'The turn failed.', ended.error?.code ?? 'TURN_FAILED');
      return { stopReason: stopReasonOf(ended) };
    } finally {
      turn.end();
      void this.commands?.offer();
      void this.tellTitle();
    }
  }

  /** Stops what runs; the prompts that wait for it end within a second. */
  async cancel(): Promise<void> {
    this.teller.tell({ kind: 'cancel_sent', atMs: Date.now() });
    await this.turns.cancel();
  }

  /** Sets something, and says how everything is set now. */
  async set(id: OptionId, value: string): Promise<SessionConfigOption[]> {
    await this.settings.set(id, value);
    return this.settings.configOptions;
  }

  /** Stops what runs and lets go of everything. Never rejects. */
  close(): Promise<void> {
    this.closing ??= this.shutDown();
    return this.closing;
  }

  private async shutDown(): Promise<void> {
    const soon = new Promise((resolve) => setTimeout(resolve, CLOSE_MS).unref());
    this.teller.close();
    if (this.conversation.client !== undefined) await Promise.race([this.turns.cancel(), soon]);
    this.turns.fail(new CommandError('The session was closed.'));
    await Promise.all([Promise.race([this.conversation.leave(), soon]), this.mcp?.close()]);
    await this.workspace?.index?.close();
  }

  private async connect(sessionId: string, mcpServers: readonly McpServer[]): Promise<void> {
    const { place, editor, chosen } = this.parts;
    const { dataDir, configDir, index, choices } = place;
    const tell = (event: SessionEvent): void => this.tell(event);
    const { executor, workspace } = await localExecutor({
      ...{ root: chosen.identity.root, dataDir, configDir, index, ask: this.human, tell },
      openFiles: editorOpenFiles(editor),
      terminals: editor.abilities.terminals ? this.terminals : undefined,
    });
    this.workspace = workspace;
    const mcp = (this.mcp = await openEditorMcp({
      ...{ place, chosen, human: this.human, tell, given: mcpServers },
      model: () => this.settings.chosenModel ?? this.teller.view.model,
    }));
    const joined = mcp.join(executor, (run) => watchRun(run, { dataDir, tell }));
    const client = await this.conversation.join(sessionId, joined, sessionId === 'new' ? choices : {});
    editor.name(client.sessionId);
    this.files = new MessageFiles(workspace.attachments, new Set(), (content) => mcp.attachments(content));
    this.commands = new SessionCommands({ ...{ place, editor, workspace, mcp, client }, view: () => this.teller.view });
    await this.settings.read();
  }

  /** Tells the editor once how the conversation is called: after its first message. */
  private async tellTitle(): Promise<void> {
    if (this.titled || this.closing !== undefined) return;
    const shown = await new SessionApi(this.parts.place.gateway).show(this.id).catch(() => undefined); // a token may not be allowed to ask
    const [info] = readSessionInfo(shown);
    if (this.titled || this.closing !== undefined || typeof info?.title !== 'string') return;
    this.titled = true;
    this.parts.editor.update({ sessionUpdate: 'session_info_update', title: info.title, updatedAt: info.updatedAt });
  }

  /** What was said so far, all of it. */
  private async recall(): Promise<void> {
    const history = await new SessionApi(this.parts.place.gateway).history(this.id);
    this.tell({ kind: 'history_read', history, atMs: Date.now() });
  }

  private get client(): CodeLabClient {
    const { client } = this.conversation;
    if (client === undefined) throw new CommandError('The session is not connected.');
    return client;
  }

  private tell(event: SessionEvent): void {
    if (event.kind === 'link') this.followLink(event.link);
    this.teller.tell(event);
    if (event.kind === 'frame' && event.frame.type === 'turn_ended') this.turns.settle(event.frame);
  }

  /** A turn stands still while the gateway is away: that is said, and when it is back. */
  private followLink(link: SessionView['link']): void {
    if (link === 'lost' ? this.isAway : link !== 'open' || !this.isAway) return;
    this.isAway = link === 'lost';
    const text = this.isAway ? 'The gateway is away: this goes on when it is back.' : 'The gateway is back.';
    this.teller.tell({ kind: 'notice', tone: this.isAway ? 'warning' : 'info', text, atMs: Date.now() });
  }

  /** The connection is over for good: everything that waits hears why. */
  private end(why: CommandError): void {
    this.ended = why;
    this.turns.fail(why);
  }
}
