import { homedir } from 'node:os';
import { readAllowedSecrets } from '@codelab/workspace';
import type { ToolExecutor } from '@codelab/client';
import { consoleFolder, openConsole, type OpenConsole } from '@codelab/mcp-server';
import type { SessionEvent } from '@codelab/client/view';
import type { ChatState } from '../../core/chat/chat-state.js';
import { CommandError } from '../../core/command-error.js';
import type { Key } from '../../core/input/key.js';
import { imageMention, pastedImagePath } from '../../core/mentions/pasted-image.js';
import { loadHighlighter } from '../../core/markdown/highlight-code.js';
import { modeNameOf } from '../../core/session/permission-mode.js';
import { sanitiseLine } from '@codelab/tools/human';
import { userTheme } from '../user-config/read-settings.js';
import { personAtTerminal } from '../mcp/person-at-terminal.js';
import { HumanAtTerminal } from '../session/ask-human.js';
import { watchRun } from '../session/watch-executor.js';
import type { McpConfiguration } from '../mcp/config-files.js';
import { mcpPlaceOf, proxyOf } from '../mcp/mcp-place.js';
import { localExecutor } from '../session/local-executor.js';
import { MessageFiles } from '../session/message-files.js';
import { SessionConsole } from '../session-console.js';
import { Terminal } from '../terminal.js';
import { ChatMcp } from './chat-mcp.js';
import { ChatEffects } from './chat-effects.js';
import type { ChatPlace } from './chat-place.js';
import { Conversation } from './conversation.js';
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
  private readonly effects: ChatEffects;
  private readonly mcp: ChatMcp;
  private executor: ToolExecutor | undefined;
  /** Where MCP servers of the folder ask the person of this chat. */
  private desk: OpenConsole | undefined;
  /** Images whose paths were pasted here. */
  private readonly pasted = new Set<string>();
  private hasLeft = false;
  private leave: (why?: CommandError) => void = () => undefined;
  private readonly left = new Promise<CommandError | undefined>((resolve) => (this.leave = resolve));

  constructor(
    private readonly place: ChatPlace,
    state: ChatState,
    configuration: McpConfiguration,
  ) {
    const { terminal } = this;
    this.console = new SessionConsole(state, {
      output: process.stdout,
      live: true,
      theme: userTheme(),
      terminal,
      onEffect: (effect) => void this.effects.act(effect),
    });
    this.human = new HumanAtTerminal((event) => this.console.dispatch(event));
    this.mcp = new ChatMcp({
      ...{ configuration, human: this.human },
      place: mcpPlaceOf(place),
      tell: (event) => this.tell(event),
      proxy: () => proxyOf(place.gateway),
      model: () => this.console.state.chosenModel ?? this.console.state.view.model,
    });
    this.sender = new MessageSender({
      tell: (event) => this.tell(event),
      takeBack: (content, why) => this.console.dispatch({ kind: 'unsent', content, why, atMs: Date.now() }),
      aside: (room) => this.shell.take(room),
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
    this.effects = new ChatEffects({
      ...{
        place,
        terminal,
        console: this.console,
        human: this.human,
        sender: this.sender,
        shell: this.shell,
        conversation: this.conversation,
        mcp: this.mcp,
      },
      switchTo: (sessionId, says) => this.switchTo(sessionId, says),
      leave: () => this.leave(),
    });
  }

  /** Resolves when the user has left; throws `CommandError` when the connection ended for good. */
  async run(firstMessage: string | undefined, hints: readonly string[]): Promise<void> {
    this.terminal.start({
      onKey: (key) => this.console.key(this.mentionImage(key)),
      onRedraw: () => this.console.draw(),
      onEnd: () => this.leave(),
      onSuspend: () => this.console.clear(),
    });
    this.welcome(hints);
    void loadHighlighter().then((highlight) => this.console.setHighlighter(highlight));
    if (firstMessage !== undefined) this.sender.send(firstMessage);
    void this.orLeave(this.connect());
    await this.openDesk();
    const why = await this.left;
    this.hasLeft = true;
    await this.desk?.close();
    const wasConnected = this.conversation.client !== undefined;
    const running = this.console.state.view.turn !== undefined;
    this.shell.close();
    this.console.close();
    this.terminal.stop();
    const closed = Promise.race([this.conversation.leave(), new Promise((resolve) => setTimeout(resolve, CLOSE_MS).unref())]);
    await Promise.all([closed, this.mcp.close()]);
    for (const content of this.sender.unsent) process.stderr.write(`Not sent: ${sanitiseLine(content, 2_000)}\n`);
    if (why) throw why;
    if (wasConnected)
      process.stderr.write(
        `${running ? 'The turn goes on until it needs this machine. ' : ''}codelab chat --continue goes on with this conversation.\n`,
      );
  }

  /** The path of an image, pasted or dropped here, becomes a mention: the image goes with the message. */
  private mentionImage(key: Key): Key {
    const path = key.kind === 'paste' ? pastedImagePath(key.text, homedir()) : undefined;
    if (path === undefined) return key;
    this.pasted.add(path);
    return { kind: 'paste', text: `${imageMention(path)} ` };
  }

  private welcome(hints: readonly string[]): void {
    const { name, branch } = this.place.workspace.identity;
    const texts = [`CodeLab in ${name}${branch === undefined ? '' : ` (${branch})`} · in a browser: ${this.place.gateway.http}/`, ...hints];
    for (const text of texts) this.notify('info', text);
    this.console.draw();
  }

  private async connect(): Promise<void> {
    const { place } = this;
    const { executor, workspace } = await localExecutor({
      ...{ root: place.workspace.identity.root, dataDir: place.dataDir, configDir: place.configDir, ask: this.human, index: place.index },
      tell: (event) => this.tell(event),
    });
    if (this.hasLeft) return; // nothing is begun for whoever has gone
    this.sender.readFrom(new MessageFiles(workspace.attachments, this.pasted, (content) => this.mcp.attachments(content)));
    this.executor = this.mcp.join(executor, (run) => watchRun(run, { dataDir: place.dataDir, tell: (event) => this.tell(event) }));
    this.effects.open(workspace);
    this.sender.begin(await this.conversation.join(place.sessionId, this.executor, place.choices));
  }

  /** Talks in another session from now on; what was said stays above. A fresh one goes on with what was chosen, another one has its own. */
  private async switchTo(sessionId: string, says: string): Promise<void> {
    if (!this.executor) return;
    const { mode } = this.console.state.view;
    const choices = sessionId === 'new' ? { ...this.place.choices, permissionMode: modeNameOf(mode) } : {};
    await this.sender.pause();
    await this.shell.take(); // what it printed was for the conversation before
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

  /** Programs that `codelab mcp serve` serves here ask in this chat, too. */
  private async openDesk(): Promise<void> {
    const { dataDir, workspace } = this.place;
    try {
      this.desk = await openConsole(consoleFolder(dataDir, workspace.identity.root), personAtTerminal(this.human));
    } catch (error) {
      this.notify('warning', `Other programs can't ask here over MCP: ${String(error)}`);
    }
  }

  private notify(tone: 'info' | 'warning', text: string): void {
    this.tell({ kind: 'notice', tone, text, atMs: Date.now() });
  }

  private tell(event: SessionEvent): void {
    this.console.tell(event);
  }
}
