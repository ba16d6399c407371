import type { JsonObject } from '@codelab/tools';
import type { Workspace } from '@codelab/workspace';
import { RefusedError, type CodeLabClient, type ConnectionState } from '@codelab/client';
import { readHistory, type SessionEvent } from '@codelab/client/view';
import type { ServerFrame } from '@codelab/protocol';
import type { ChatState } from '../../core/chat/chat-state.js';
import { CommandError } from '../../core/command-error.js';
import { describeModels } from '../../core/models/describe-models.js';
import { renderRules } from '../../core/rules/render-rules.js';
import { loadHighlighter } from '../../core/markdown/highlight-code.js';
import type { SessionChoices } from '../../core/session/permission-mode.js';
import { sanitiseLine } from '../../core/text/sanitise.js';
import { describeContext } from '../../core/sessions/describe-context.js';
import { readSessionSummary } from '../../core/sessions/session-summary.js';
import { readCliConfig } from '../config.js';
import { readModels } from '../models/read-models.js';
import { HumanAtTerminal } from '../session/ask-human.js';
import type { Gateway } from '../session/gateway.js';
import type { ChosenWorkspace } from '../session/choose-workspace.js';
import { connectSession } from '../session/connect-session.js';
import { localExecutor } from '../session/local-executor.js';
import { MessageFiles, PathCompleter } from '../session/message-files.js';
import { allRules, readLocalRules, readRules } from '../rules/read-rules.js';
import { SessionApi } from '../sessions/session-api.js';
import { SessionConsole, type OuterEffect } from '../session-console.js';
import { Terminal } from '../terminal.js';
import { ChatUndo } from './chat-undo.js';
import { readCustomCommand } from './custom-commands.js';
import { MessageSender } from './message-sender.js';
export interface ChatPlace {
  readonly gateway: Gateway;
  readonly workspace: ChosenWorkspace;
  readonly dataDir: string;
  readonly configDir?: string;
  readonly sessionId: string;
  readonly choices?: SessionChoices;
}

/** Leaving must not hang on a gateway that is away. */
const CLOSE_MS = 1_500;

/** A conversation at a terminal, from the first key to the last. */
export class ChatRun {
  private readonly terminal = new Terminal(process.stdin, process.stdout);
  private readonly console: SessionConsole;
  private readonly human: HumanAtTerminal;
  private client: CodeLabClient | undefined;
  private readonly sender: MessageSender;
  private paths: PathCompleter | undefined;
  private undo: ChatUndo | undefined;
  private workspace: Workspace | undefined;
  private leave: (why?: CommandError) => void = () => undefined;
  private readonly left = new Promise<CommandError | undefined>((resolve) => (this.leave = resolve));

  constructor(
    private readonly place: ChatPlace,
    state: ChatState,
  ) {
    const colour = readCliConfig().noColor === undefined;
    const { terminal } = this;
    this.console = new SessionConsole(state, {
      output: process.stdout,
      live: true,
      colour,
      terminal,
      onEffect: (effect) => void this.act(effect),
    });
    this.human = new HumanAtTerminal((event) => this.console.dispatch(event));
    this.sender = new MessageSender({
      tell: (event) => this.tell(event),
      takeBack: (content, why) => this.console.dispatch({ kind: 'unsent', content, why, atMs: Date.now() }),
      remember: (content) => place.workspace.rememberMessage(content),
    });
  }

  /** Resolves when the user has left; throws `CommandError` when the connection ended for good. */
  async run(firstMessage: string | undefined, hints: readonly string[]): Promise<void> {
    this.terminal.start({
      onKey: (key) => this.console.key(key),
      onRedraw: () => this.console.draw(),
      onEnd: () => this.leave(),
      onSuspend: () => this.console.clear(),
    });
    this.welcome(hints);
    void loadHighlighter().then((highlight) => this.console.setHighlighter(highlight));
    if (firstMessage !== undefined) this.sender.send(firstMessage);
    this.connect().catch((error: unknown) => this.leave(error instanceof CommandError ? error : new CommandError(String(error))));
    const why = await this.left;
    const running = this.console.state.view.turn !== undefined;
    this.console.close();
    this.terminal.stop();
    await Promise.race([this.client?.close(), new Promise((resolve) => setTimeout(resolve, CLOSE_MS).unref())]);
    for (const content of this.sender.unsent) process.stderr.write(`Not sent: ${sanitiseLine(content, 2_000)}\n`);
    if (why) throw why;
    if (this.client)
      process.stderr.write(
        `${running ? 'The turn goes on until it needs this machine. ' : ''}codelab chat --continue goes on with this conversation.\n`,
      );
  }

  private welcome(hints: readonly string[]): void {
    const { name, branch } = this.place.workspace.identity;
    const texts = [`CodeLab in ${name}${branch === undefined ? '' : ` (${branch})`}`, ...hints];
    for (const text of texts) this.notify('info', text);
    this.console.draw();
  }

  private async connect(): Promise<void> {
    const { place, human } = this;
    const { executor, workspace } = await localExecutor({
      root: place.workspace.identity.root,
      dataDir: place.dataDir,
      configDir: place.configDir,
      ask: human,
      tell: (event) => this.tell(event),
    });
    this.sender.readFrom(new MessageFiles(workspace.attachments));
    this.workspace = workspace;
    this.undo = new ChatUndo(workspace.undo);
    this.paths = new PathCompleter(workspace.attachments, (event) => this.console.dispatch(event));
    this.client = await connectSession({
      ...place,
      executor,
      approve: human.approve,
      onFrame: (frame) => this.hear(frame),
      onState: (state) => this.follow(state),
      tell: (event) => this.tell(event),
    });
    if (place.sessionId !== 'new') await this.recall(this.client.sessionId);
    this.sender.begin(this.client);
  }

  /** Which agent and model the conversation was left with. Frames tell it only when it changes. */
  private async recall(sessionId: string): Promise<void> {
    const session = await new SessionApi(this.place.gateway).show(sessionId).catch(() => undefined); // a token may not be allowed to ask
    const { agent, model } = readSessionSummary(session);
    this.tell({ kind: 'chose', agent: agent || undefined, model: model || undefined, atMs: Date.now() });
  }

  private hear(frame: ServerFrame): void {
    this.tell({ kind: 'frame', frame, atMs: Date.now() });
    if (frame.type === 'turn_started') void this.findMessages(frame.message_ids);
  }

  /** Frames only name messages: the text of those that another window sent is asked for. */
  private async findMessages(ids: readonly string[]): Promise<void> {
    const isShown = (id: string): boolean => this.console.state.view.items.some((item) => item.kind === 'user' && item.messageId === id);
    const missing = new Set(ids.filter((id) => !isShown(id)));
    if (missing.size === 0 || !this.client) return;
    const history = await new SessionApi(this.place.gateway).latest(this.client.sessionId).catch(() => []); // a token may not be allowed to ask
    for (const item of readHistory(history))
      if (item.kind === 'user' && missing.has(item.messageId)) {
        const { messageId, content, attachments } = item;
        this.tell({ kind: 'message_found', messageId, content, attachments, atMs: Date.now() });
      }
  }

  private follow(state: ConnectionState): void {
    if (state.kind === 'closed' && state.reason.kind !== 'closed') return this.leave(new CommandError(state.reason.message));
    const before = this.console.state.view.link;
    const link = state.kind === 'live' || state.kind === 'replaying' ? 'open' : before === 'connecting' ? 'connecting' : 'lost';
    this.tell({ kind: 'link', link, atMs: Date.now() });
  }

  private async act(effect: OuterEffect): Promise<void> {
    switch (effect.kind) {
      case 'send':
        return this.sender.send(effect.content, { model: effect.model, command: effect.command });
      case 'preview_args':
        return this.preview(effect);
      case 'send_custom':
        return this.sendCustom(effect);
      case 'unqueue':
        return this.request((client) => client.removeQueued(effect.messageId));
      case 'complete':
        return this.paths?.complete(effect.path);
      case 'show_context':
        return this.showContext();
      case 'show_rules':
        return this.showRules();
      case 'list_models':
        return this.listModels();
      case 'undo':
        return this.takeBackTurn(effect.name);
      case 'cancel':
        return this.request((client) => client.cancel(undefined, { queue: true }));
      case 'switch_agent':
        return this.request((client) => client.switchAgent(effect.agent));
      case 'decide':
      case 'answer_question':
      case 'answer_review':
        return this.human.take(effect);
      case 'leave':
        return this.leave();
    }
  }

  private async sendCustom({ name, args, model }: Extract<OuterEffect, { kind: 'send_custom' }>): Promise<void> {
    if (!this.workspace) return this.warn('Not connected yet: try again in a moment.');
    const message = await readCustomCommand(this.workspace.attachments, name, args).catch((error: Error) => error);
    if (message instanceof Error) return this.warn(message.message);
    this.sender.send(message, { model });
  }

  private async showContext(): Promise<void> {
    if (!this.client) return this.warn('Not connected yet: try again in a moment.');
    const context = await new SessionApi(this.place.gateway).context(this.client.sessionId).catch((error: Error) => error);
    if (context instanceof Error) return this.warn(context.message);
    this.notify('info', describeContext(context));
  }

  /** Shows the rules on a screen of their own. */
  private async showRules(): Promise<void> {
    const { gateway, dataDir } = this.place;
    const rules = await Promise.all([readRules(gateway), readLocalRules(dataDir)]).catch((error: Error) => error);
    if (rules instanceof Error) return this.warn(rules.message);
    this.console.page({ title: 'rules', rows: renderRules(allRules(...rules), Date.now(), this.console.size.columns - 1), top: 0 });
  }

  private async listModels(): Promise<void> {
    const text = await readModels(this.place.gateway).then(describeModels, (error: Error) => error.message);
    this.notify('info', text);
  }

  private async preview({ callId, toolName, args }: Extract<OuterEffect, { kind: 'preview_args' }>): Promise<void> {
    const shown = await this.workspace?.preview(toolName, JSON.parse(args) as JsonObject, this.client?.sessionId).catch(() => undefined);
    if (shown) this.console.dispatch({ kind: 'args_previewed', callId, args, preview: shown.preview, atMs: Date.now() });
  }

  private async takeBackTurn(name: string | undefined): Promise<void> {
    if (!this.undo) return this.warn('Not connected yet: try again in a moment.');
    const text = await (name === 'yes' ? this.undo.confirm() : this.undo.show(name)).catch((error: Error) => error.message);
    this.notify('info', text);
  }

  /** Asks the gateway for something. A refusal that came as a frame is shown by the frame. */
  private async request(ask: (client: CodeLabClient) => Promise<unknown>): Promise<void> {
    if (!this.client) return this.warn('Not connected yet: try again in a moment.');
    await ask(this.client).catch((error: unknown) => {
      if (!(error instanceof RefusedError)) this.warn(error instanceof Error ? error.message : String(error));
    });
  }

  private warn(text: string): void {
    this.notify('warning', text);
  }

  private notify(tone: 'info' | 'warning', text: string): void {
    this.tell({ kind: 'notice', tone, text, atMs: Date.now() });
  }

  private tell(event: SessionEvent): void {
    this.console.tell(event);
  }
}
