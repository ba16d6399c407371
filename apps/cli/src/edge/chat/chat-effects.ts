import type { JsonObject } from '@codelab/tools';
import type { Workspace } from '@codelab/workspace';
import { RefusedError, type CodeLabClient } from '@codelab/client';
import type { CustomCommand } from '../../core/commands/custom-command.js';
import { toNotification } from '../../core/chat/notify.js';
import type { PickerEntry } from '../../core/picker/picker.js';
import { readCliConfig } from '../config.js';
import { readSettings } from '../user-config/read-settings.js';
import type { HumanAtTerminal } from '../session/ask-human.js';
import { Completer, pathsBeside } from '../session/complete-line.js';
import { SessionApi } from '../sessions/session-api.js';
import type { OuterEffect, SessionConsole } from '../session-console.js';
import type { Terminal } from '../terminal.js';
import type { ChatPlace } from './chat-place.js';
import type { PromptCommand } from '../../core/mcp/prompt-command.js';
import type { ChatMcp } from './chat-mcp.js';
import type { CommandContext } from './commands/command-effect.js';
import { COMMAND_EFFECTS } from './commands/commands.js';
import type { Conversation } from './conversation.js';
import { CustomCommands } from './custom-commands.js';
import { followAgent } from './follow-agent.js';
import type { MessageSender } from './message-sender.js';
import type { UserShell } from './user-shell.js';

interface Parts {
  readonly place: ChatPlace;
  readonly terminal: Terminal;
  readonly console: SessionConsole;
  readonly human: HumanAtTerminal;
  readonly sender: MessageSender;
  readonly shell: UserShell;
  readonly conversation: Conversation;
  readonly mcp: ChatMcp;
  readonly switchTo: CommandContext['switchTo'];
  readonly leave: () => void;
}

/** The user's files, and what is looked for in them. */
interface Files {
  readonly workspace: Workspace;
  readonly paths: Completer;
  readonly arguments: Completer;
  readonly customs: CustomCommands;
}

/** Does what the state of a chat wants done outside of it. */
export class ChatEffects {
  private readonly notifications = readSettings().notifications ?? 'away';
  /** The outer part of each command, by its name. */
  private readonly commands: ReadonlyMap<string, (text: string) => Promise<void>>;
  private files: Files | undefined;
  /** The mode is being changed: decisions wait for it. */
  private changing: Promise<void> = Promise.resolve();

  constructor(private readonly parts: Parts) {
    const { place, console, switchTo } = parts;
    const context = {
      ...{ place, console },
      switchTo: async (sessionId: string, says: string) => {
        await this.connection();
        await switchTo(sessionId, says);
      },
      connected: () => this.connected(),
      mcp: parts.mcp,
      customs: () => this.findCustoms(),
      say: (text: string) => this.notify('info', text),
    };
    const offerFor = (command: string) => (entries: readonly PickerEntry[]) =>
      console.dispatch({ kind: 'offered', command, entries, atMs: Date.now() });
    this.commands = new Map(Object.entries(COMMAND_EFFECTS).map(([name, begin]) => [name, begin({ ...context, offer: offerFor(name) })]));
  }

  /** From now on there are the user's files. */
  open(workspace: Workspace): void {
    const { place, console } = this.parts;
    const { mcp } = this.parts;
    const tell = (path: string, candidates: readonly string[]): void =>
      console.dispatch({ kind: 'completed', path, candidates, atMs: Date.now() });
    const paths = new Completer(
      pathsBeside(workspace.attachments, (begun) => mcp.resources.complete(begun)),
      tell,
    );
    const words = new Completer((line, signal) => mcp.completeArgument(line, signal), tell);
    this.files = { workspace, paths, arguments: words, customs: new CustomCommands(workspace.facts, place.configDir) };
    mcp.servers.onChange(() => void this.findCustoms()); // a server that comes has prompts; one that ends takes them along
    void this.findCustoms();
  }

  async act(effect: OuterEffect): Promise<void> {
    const { place, sender, shell, human, leave } = this.parts;
    switch (effect.kind) {
      case 'send':
        return sender.send(effect.content, { model: effect.model, command: effect.command, whenBusy: whenBusyOf(effect) });
      case 'preview_args':
        return this.preview(effect);
      case 'send_custom':
        return this.sendCustom(effect);
      case 'unqueue':
        await sender.answered();
        return this.request((client) => client.removeQueued(effect.messageId));
      case 'find_customs':
        return void this.findCustoms();
      case 'complete':
        return effect.of === 'mention' ? this.files?.paths.complete(effect.path) : this.files?.arguments.complete(effect.path);
      case 'command':
        return this.perform(effect);
      case 'cancel':
        await sender.answered();
        return this.request((client) => client.cancel(undefined, { queue: true }));
      case 'switch_agent':
        return this.request((client) => client.switchAgent(effect.agent));
      case 'notify':
        return this.ring(effect);
      case 'run_shell':
        void place.workspace.rememberMessage(`!${effect.command}`).catch(() => undefined); // the command counts, its memory doesn't
        return shell.run(effect.command);
      case 'stop_shell':
        return shell.stop();
      case 'set_mode':
        return (this.changing = this.changing.then(() => this.setMode(effect)));
      case 'decide':
        await this.changing;
        return human.take(effect);
      case 'answer_question':
      case 'answer_form':
      case 'answer_review':
        return human.take(effect);
      case 'leave':
        return leave();
    }
  }

  private ring({ text, isAway }: Extract<OuterEffect, { kind: 'notify' }>): void {
    if (this.notifications === 'never' || (this.notifications === 'away' && !isAway)) return;
    this.parts.terminal.write(toNotification(text, readCliConfig()));
  }

  /** Where the servers refuse it, the mode is the one before. */
  private async setMode({ mode, before }: Extract<OuterEffect, { kind: 'set_mode' }>): Promise<void> {
    const client = await this.connection();
    const refused = await new SessionApi(this.parts.place.gateway).setMode(client.sessionId, mode).catch((error: Error) => error);
    if (!refused) return;
    this.parts.console.tell({ kind: 'chose', mode: before ?? 'medium', atMs: Date.now() });
    this.warn(refused.message);
  }

  private async perform({ name, text }: Extract<OuterEffect, { kind: 'command' }>): Promise<void> {
    await this.commands
      .get(name)?.(text)
      .catch((error: Error) =>
        this.parts.console.dispatch({ kind: 'command_failed', command: name, why: error.message, atMs: Date.now() }),
      );
  }

  /** What is entered before there is a connection is done when there is one. */
  private connection(): Promise<CodeLabClient> {
    if (!this.parts.conversation.client) this.notify('info', 'Waits for the connection.');
    return this.parts.conversation.connection;
  }

  private async connected(): Promise<{ readonly client: CodeLabClient; readonly workspace: Workspace }> {
    const client = await this.connection();
    return { client, workspace: this.files!.workspace }; // opened before it connects
  }

  /** Looks which commands people wrote, for the screen too. Files that can't be read list nothing. */
  private async findCustoms(): Promise<readonly CustomCommand[]> {
    const own = (await this.files?.customs.list().catch(() => [])) ?? [];
    const customs = [...own, ...this.promptsBeside(own)];
    this.parts.console.dispatch({ kind: 'customs_found', customs, atMs: Date.now() });
    return customs;
  }

  /** The prompts of MCP servers whose names no file has. */
  private promptsBeside(own: readonly CustomCommand[]): readonly PromptCommand[] {
    return this.parts.mcp.prompts().filter(({ name }) => !own.some((one) => one.name === name));
  }

  private async sendCustom({ name, args, model, waits }: Extract<OuterEffect, { kind: 'send_custom' }>): Promise<void> {
    const client = await this.connection();
    try {
      const prompt = this.promptsBeside(await this.files!.customs.list()).find((one) => one.name === name);
      if (prompt !== undefined) {
        const { text, attachments } = await this.parts.mcp.message(prompt, args);
        const typed = `/${name} ${args}`.trim();
        return this.parts.sender.send(text, { model, whenBusy: whenBusyOf({ waits }) }, { typed, args, attachments });
      }
      const message = await this.files!.customs.read(name, args);
      if (message.agent !== undefined)
        await followAgent({ client, gateway: this.parts.place.gateway }, name, { ...message, agent: message.agent });
      this.parts.sender.send(message.text, { model: message.model ?? model, whenBusy: whenBusyOf({ waits }) });
    } catch (error) {
      if (!(error instanceof RefusedError)) this.warn(error instanceof Error ? error.message : String(error)); // a refusal came as a frame
    }
  }

  private async preview({ callId, toolName, args }: Extract<OuterEffect, { kind: 'preview_args' }>): Promise<void> {
    const shown = await this.files?.workspace
      .preview(toolName, JSON.parse(args) as JsonObject, this.parts.conversation.client?.sessionId)
      .catch(() => undefined);
    if (shown) this.parts.console.dispatch({ kind: 'args_previewed', callId, args, preview: shown.preview, atMs: Date.now() });
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
    this.parts.console.tell({ kind: 'notice', tone, text, atMs: Date.now() });
  }
}

/** How a message joins a turn that runs. */
const whenBusyOf = ({ waits = true }: { readonly waits?: boolean }): 'enqueue' | 'steer' => (waits ? 'enqueue' : 'steer');
