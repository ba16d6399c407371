import { join } from 'node:path';
import { startTerminal, type TerminalSession } from '@codelab/testkit';
import { CLI, type System } from './start-system.js';

/** `codelab chat` at a terminal. */
export interface Chat extends TerminalSession {
  /** Types a message and sends it. */
  say(message: string): void;
  /** Waits until what matches `pattern` is asked and the keys decide, then presses the key of the answer. */
  decide(pattern: RegExp, key: string): Promise<void>;
  /** Waits until no turn runs and every message has been sent. */
  rests(): Promise<void>;
}

export interface ChatStart {
  /** The folder that is talked about. */
  readonly root: string;
  readonly columns?: number;
  readonly rows?: number;
  readonly argv?: readonly string[];
  readonly env?: NodeJS.ProcessEnv;
  /** Finds the services by itself, as those of this machine, in place of being told their address. */
  readonly isLocal?: boolean;
  /** What is answered to the question that comes before the chat, about the MCP servers of the folder. */
  readonly answers?: string;
}

/** Opens `codelab chat` for a folder at a terminal of its own, as soon as it is connected. Settings of whoever runs the tests don't count. */
export async function startChat(
  system: System,
  { root, columns = 120, rows = 40, argv = [], env, answers, isLocal = false }: ChatStart,
): Promise<Chat> {
  const gateway = isLocal ? [] : ['--url', system.gateways[0]?.ws ?? '', '--token', system.token];
  const { NO_COLOR: _c, COLORFGBG: _g, VISUAL: _v, EDITOR: _e, TERM_PROGRAM: _p, VTE_VERSION: _t, TMUX: _m, ...inherited } = system.env;
  const terminal = startTerminal(process.execPath, [CLI, 'chat', ...gateway, '--workspace', root, ...argv], {
    ...{ columns, rows, cwd: root },
    env: { ...inherited, XDG_CONFIG_HOME: join(system.dataDir, 'config'), LANG: 'C.UTF-8', ...env },
  });
  const chat: Chat = {
    ...terminal,
    say: (message) => {
      terminal.type(message);
      terminal.press('enter');
    },
    decide: async (pattern, key) => {
      const asked = (): boolean => pattern.test(terminal.screen()) && keyCounts(terminal, key);
      await terminal.until(`asks ${String(pattern)} and takes ${key}`, asked);
      terminal.type(key);
    },
    rests: () => terminal.until('rests', () => /─{20}/.test(terminal.screen()) && !BUSY.test(terminal.screen())),
  };
  if (answers !== undefined) {
    await chat.shows('[y/N]');
    terminal.type(answers);
    terminal.press('enter');
  }
  await chat.until('is connected', () => /─{20}/.test(chat.screen()) && !/connecting/.test(chat.screen()));
  return chat;
}

/** What is on the screen only while something goes on. */
const BUSY = /[⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏]|Enter: at|stopping …|⋯ queued|↳ next step|connecting/;

/** A key that decides is underlined; until the panel could be read it is not. */
const keyCounts = (terminal: TerminalSession, key: string): boolean =>
  terminal.cells().some((row) => row.some((cell) => cell.text === key && cell.underline && cell.bold));
