import type { JsonObject } from '@codelab/tools';
import { readAllowedSecrets, type Workspace } from '@codelab/workspace';
import { RefusedError, type CodeLabClient, type ToolExecutor } from '@codelab/client';
import type { SessionEvent } from '@codelab/client/view';
import type { ChatState } from '../../core/chat/chat-state.js';
import type { CustomCommand } from '../../core/commands/custom-command.js';
import { toNotification } from '../../core/chat/notify.js';
import { CommandError } from '../../core/command-error.js';
import type { PickerEntry } from '../../core/picker/picker.js';
import { loadHighlighter } from '../../core/markdown/highlight-code.js';
import { modeNameOf } from '../../core/session/permission-mode.js';
import { sanitiseLine } from '../../core/text/sanitise.js';
import { readCliConfig } from '../config.js';
import { readSettings, userTheme } from '../user-config/read-settings.js';
import { HumanAtTerminal } from '../session/ask-human.js';
import { localExecutor } from '../session/local-executor.js';
import { MessageFiles, PathCompleter } from '../session/message-files.js';
import { SessionApi } from '../sessions/session-api.js';
import { SessionConsole, type OuterEffect } from '../session-console.js';
import { Terminal } from '../terminal.js';
import type { ChatPlace } from './chat-place.js';
import { Conversation } from './conversation.js';
import { COMMAND_EFFECTS } from './commands/commands.js';
import { CustomCommands } from './custom-commands.js';
import { MessageSender } from './message-sender.js';
import { UserShell } from './user-shell.js';

/** Leaving must not hang on a gateway that is away. */
const CLOSE_MS = 1_500;

/** A conversation at a terminal, from the first key to the last. */
export class ChatRun {
  private readonly terminal = new Terminal(process.stdin, process.stdout);
  private readonly console: SessionConsole;
  private readonly human: HumanAtTerminal;
  private readonly conversation: Conversation;
  private readonly sender: MessageSender;
  private readonly shell: UserShell;
  private readonly notifications = readSettings().notifications ?? 'away';
  private paths: PathCompleter | undefined;
  private workspace: Workspace | undefined;
  private executor: ToolExecutor | undefined;
  private customs: CustomCommands | undefined;
  /** The outer part of each command, by its name. */
  private readonly commands: ReadonlyMap<string, (text: string) => Promise<void>>;
  /** The mode is being changed: decisions wait for it. */
  private changing: Promise<void> = Promise.resolve();
  private leave: (why?: CommandError) => void = () => undefined;
  private readonly left = new Promise<CommandError | undefined>((resolve) => (this.leave = resolve));

  constructor(
    private readonly place: ChatPlace,
    state: ChatState,
  ) {
    const { terminal } = this;
    this.console = new SessionConsole(state, {
      output: process.stdout,
      live: true,
      theme: userTheme(),
      terminal,
      onEffect: (effect) => void this.act(effect),
    });
    this.human = new HumanAtTerminal((event) => this.console.dispatch(event));
    this.sender = new MessageSender({
      tell: (event) => this.tell(event),
      takeBack: (content, why) => this.console.dispatch({ kind: 'unsent', content, why, atMs: Date.now() }),
      aside: () => this.shell.take(),
      remember: (content) => place.workspace.rememberMessage(content),
    });
    this.shell = new UserShell({
      root: place.workspace.identity.root,
      tell: (event) => this.tell(event),
      allowedSecrets: () => readAllowedSecrets(place.dataDir),
    });
    this.conversation = new Conversation({
      ...{ place, human: this.human },
      tell: (event) => this.tell(event),
      view: () => this.console.state.view,
      end: (why) => this.leave(why),
    });
    const context = {
      ...{ place, console: this.console },
      connected: () => this.connected(),
      customs: () => this.findCustoms(),
      switchTo: (sessionId: string, says: string) => this.switchTo(sessionId, says),
      say: (text: string) => this.notify('info', text),
    };
    const offerFor = (command: string) => (entries: readonly PickerEntry[]) =>
      this.console.dispatch({ kind: 'offered', command, entries, atMs: Date.now() });
    this.commands = new Map(Object.entries(COMMAND_EFFECTS).map(([name, begin]) => [name, begin({ ...context, offer: offerFor(name) })]));
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
    void this.orLeave(this.connect());
    const why = await this.left;
    const running = this.console.state.view.turn !== undefined;
    this.shell.close();
    this.console.close();
    this.terminal.stop();
    await Promise.race([this.conversation.client?.close(), new Promise((resolve) => setTimeout(resolve, CLOSE_MS).unref())]);
    for (const content of this.sender.unsent) process.stderr.write(`Not sent: ${sanitiseLine(content, 2_000)}\n`);
    if (why) throw why;
    if (this.conversation.client)
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
    const { place } = this;
    const { executor, workspace } = await localExecutor({
      ...{ root: place.workspace.identity.root, dataDir: place.dataDir, configDir: place.configDir, ask: this.human },
      tell: (event) => this.tell(event),
    });
    this.sender.readFrom(new MessageFiles(workspace.attachments));
    this.executor = executor;
    this.workspace = workspace;
    this.customs = new CustomCommands(workspace.facts, place.configDir);
    void this.findCustoms();
    this.paths = new PathCompleter(workspace.attachments, (event) => this.console.dispatch(event));
    this.sender.begin(await this.conversation.join(place.sessionId, executor, place.choices));
  }

  /** Talks in another session from now on; what was said stays above. A fresh one goes on with what was chosen, another one has its own. */
  private async switchTo(sessionId: string, says: string): Promise<void> {
    if (!this.executor) return;
    const { mode } = this.console.state.view;
    const choices = sessionId === 'new' ? { ...this.place.choices, permissionMode: modeNameOf(mode) } : {};
    await this.sender.pause();
    await this.conversation.leave();
    this.console.begin();
    this.notify('info', says);
    if (sessionId === 'new') this.tell({ kind: 'chose', mode, atMs: Date.now() });
    const joined = this.conversation.join(sessionId, this.executor, choices);
    await this.orLeave(joined.then((client) => this.sender.begin(client)));
  }

  /** Without a session there is no chat. */
  private async orLeave(connecting: Promise<void>): Promise<void> {
    await connecting.catch((error: unknown) => this.leave(error instanceof CommandError ? error : new CommandError(String(error))));
  }

  private async act(effect: OuterEffect): Promise<void> {
    switch (effect.kind) {
      case 'send':
        return this.sender.send(effect.content, { model: effect.model, command: effect.command, whenBusy: whenBusyOf(effect) });
      case 'preview_args':
        return this.preview(effect);
      case 'send_custom':
        return this.sendCustom(effect);
      case 'unqueue':
        await this.sender.answered();
        return this.request((client) => client.removeQueued(effect.messageId));
      case 'find_customs':
        return void this.findCustoms();
      case 'complete':
        return this.paths?.complete(effect.path);
      case 'command':
        return this.perform(effect);
      case 'cancel':
        await this.sender.answered();
        return this.request((client) => client.cancel(undefined, { queue: true }));
      case 'switch_agent':
        return this.request((client) => client.switchAgent(effect.agent));
      case 'notify':
        return this.ring(effect);
      case 'run_shell':
        void this.place.workspace.rememberMessage(`!${effect.command}`).catch(() => undefined); // the command counts, its memory doesn't
        return this.shell.run(effect.command);
      case 'stop_shell':
        return this.shell.stop();
      case 'set_mode':
        return (this.changing = this.changing.then(() => this.setMode(effect)));
      case 'decide':
        await this.changing;
        return this.human.take(effect);
      case 'answer_question':
      case 'answer_review':
        return this.human.take(effect);
      case 'leave':
        return this.leave();
    }
  }

  private ring({ text, isAway }: Extract<OuterEffect, { kind: 'notify' }>): void {
    if (this.notifications === 'never' || (this.notifications === 'away' && !isAway)) return;
    this.terminal.write(toNotification(text, readCliConfig()));
  }

  /** Where the servers refuse it, the mode is the one before. */
  private async setMode({ mode, before }: Extract<OuterEffect, { kind: 'set_mode' }>): Promise<void> {
    const client = await this.connection();
    const refused = await new SessionApi(this.place.gateway).setMode(client.sessionId, mode).catch((error: Error) => error);
    if (!refused) return;
    this.tell({ kind: 'chose', mode: before ?? 'medium', atMs: Date.now() });
    this.warn(refused.message);
  }

  private async perform({ name, text }: Extract<OuterEffect, { kind: 'command' }>): Promise<void> {
    await this.connection();
    await this.commands
      .get(name)?.(text)
      .catch((error: Error) => this.console.dispatch({ kind: 'command_failed', command: name, why: error.message, atMs: Date.now() }));
  }

  /** What is entered before there is a connection is done when there is one. */
  private connection(): Promise<CodeLabClient> {
    if (!this.conversation.client) this.notify('info', 'Waits for the connection.');
    return this.conversation.connection;
  }

  private connected(): { readonly client: CodeLabClient; readonly workspace: Workspace } {
    const { workspace } = this;
    const { client } = this.conversation;
    if (!client || !workspace) throw new CommandError('Not connected yet: try again in a moment.');
    return { client, workspace };
  }

  /** Looks which commands people wrote, for the screen too. Files that can't be read list nothing. */
  private async findCustoms(): Promise<readonly CustomCommand[]> {
    const customs = (await this.customs?.list().catch(() => [])) ?? [];
    this.console.dispatch({ kind: 'customs_found', customs, atMs: Date.now() });
    return customs;
  }

  private async sendCustom({ name, args, model, waits }: Extract<OuterEffect, { kind: 'send_custom' }>): Promise<void> {
    const client = await this.connection();
    try {
      const message = await this.customs!.read(name, args);
      if (message.agent !== undefined) await client.switchAgent(message.agent);
      this.sender.send(message.text, { model: message.model ?? model, whenBusy: whenBusyOf({ waits }) });
    } catch (error) {
      if (!(error instanceof RefusedError)) this.warn(error instanceof Error ? error.message : String(error)); // a refusal came as a frame
    }
  }

  private async preview({ callId, toolName, args }: Extract<OuterEffect, { kind: 'preview_args' }>): Promise<void> {
    const shown = await this.workspace
      ?.preview(toolName, JSON.parse(args) as JsonObject, this.conversation.client?.sessionId)
      .catch(() => undefined);
    if (shown) this.console.dispatch({ kind: 'args_previewed', callId, args, preview: shown.preview, atMs: Date.now() });
  }

  /** Asks the gateway for something. A refusal that came as a frame is shown by the frame. */
  private async request(ask: (client: CodeLabClient) => Promise<unknown>): Promise<void> {
    const client = await this.connection();
    await ask(client).catch((error: unknown) => {
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

/** How a message joins a turn that runs. */
const whenBusyOf = ({ waits = true }: { readonly waits?: boolean }): 'enqueue' | 'steer' => (waits ? 'enqueue' : 'steer');
