import { consoleFolder, openConsole } from '@codelab/mcp-server';
import type { ReadStream, WriteStream } from 'node:tty';
import { newChat } from '../../core/chat/chat-state.js';
import { CommandError } from '../../core/command-error.js';
import { loadHighlighter } from '../../core/markdown/highlight-code.js';
import { readCliConfig } from '../config.js';
import { HumanAtTerminal } from '../session/ask-human.js';
import { chooseWorkspace } from '../session/choose-workspace.js';
import { SessionConsole } from '../session-console.js';
import { Terminal } from '../terminal.js';
import { userTheme } from '../user-config/read-settings.js';
import { personAtTerminal } from './person-at-terminal.js';

/** The options of `codelab mcp approvals`. */
export interface ApprovalsOptions {
  readonly workspace: string;
}

/** The terminal of the person. */
export interface ApprovalsIo {
  readonly stdin: ReadStream;
  readonly stdout: WriteStream;
}

/** Shows what MCP servers of a folder ask, and takes the answers, until the person leaves. Throws `CommandError` without a terminal. */
export async function runApprovals(options: ApprovalsOptions, { stdin, stdout }: ApprovalsIo): Promise<void> {
  if (!stdin.isTTY || !stdout.isTTY) throw new CommandError('`codelab mcp approvals` asks a person: run it in a terminal.', 2);
  const { dataDir } = readCliConfig();
  const { identity } = await chooseWorkspace(options.workspace, dataDir);
  const terminal = new Terminal(stdin, stdout);
  let leave = (): void => undefined;
  const left = new Promise<void>((resolve) => (leave = resolve));
  const screen = new SessionConsole(newChat({ writes: false }), {
    ...{ output: stdout, live: true, theme: userTheme(), terminal },
    onEffect(effect) {
      if (effect.kind === 'cancel' || effect.kind === 'leave') leave();
      else if (effect.kind === 'decide' || effect.kind === 'answer_question' || effect.kind === 'answer_review') human.take(effect);
    },
  });
  const human: HumanAtTerminal = new HumanAtTerminal((event) => screen.dispatch(event));
  const say = (text: string): void => screen.tell({ kind: 'notice', tone: 'info', text, atMs: Date.now() });
  const desk = await openConsole(consoleFolder(dataDir, identity.root), personAtTerminal(human, say));
  terminal.start({
    onKey: (key) => screen.key(key),
    onRedraw: () => screen.draw(),
    onEnd: () => leave(),
    onSuspend: () => screen.clear(),
  });
  void loadHighlighter().then((highlight) => screen.setHighlighter(highlight));
  say(`Here MCP servers of ${identity.name} ask before they write or run something. Ctrl-C ends.`);
  screen.draw();
  try {
    await left;
  } finally {
    await desk.close();
    screen.close();
    terminal.stop();
  }
}
