import { spawn } from '@lydell/node-pty';
import xterm from '@xterm/headless';
import { PATIENCE_MS } from './eventually.js';
import { cellsOf, textOf, type Cell } from './terminal-cells.js';

const KEYS = {
  enter: '\r',
  'alt-enter': '\x1b\r',
  escape: '\x1b',
  tab: '\t',
  'shift-tab': '\x1b[Z',
  backspace: '\x7f',
  delete: '\x1b[3~',
  up: '\x1b[A',
  down: '\x1b[B',
  right: '\x1b[C',
  left: '\x1b[D',
  home: '\x1b[H',
  end: '\x1b[F',
  'page-up': '\x1b[5~',
  'page-down': '\x1b[6~',
} as const;
type Letter = 'a' | 'b' | 'c' | 'd' | 'e' | 'f' | 'g' | 'k' | 'l' | 'n' | 'o' | 'p' | 'r' | 's' | 't' | 'u' | 'w' | 'x' | 'y' | 'z';

/** A key by its name. Letters without a modifier are typed. */
export type KeyName = keyof typeof KEYS | `ctrl-${Letter}` | `alt-${Letter}`;

/** A program at a terminal: it has a real pseudo-terminal, and a real terminal emulator draws what it writes. */
export interface TerminalSession {
  /** Types text, key by key as a fast typist does. */
  type(text: string): void;
  press(...keys: readonly KeyName[]): void;
  /** Pastes text as a terminal does, bracketed. */
  paste(text: string): void;
  /** What is on the screen now: one line per row, without the spaces at its end. */
  screen(): string;
  /** The rows of the screen with their styles. */
  cells(): readonly (readonly Cell[])[];
  /** All that was written and has not been taken back: what has scrolled away, then the screen. */
  history(): string;
  /** Waits until the screen matches, and answers it. Throws after `withinMs` (45 s) with the screen as it stands. */
  shows(pattern: RegExp | string, options?: { readonly withinMs?: number }): Promise<string>;
  /** Waits until the screen, now or later, satisfies `probe`. */
  until(what: string, probe: () => boolean, options?: { readonly withinMs?: number }): Promise<void>;
  /** How the first character of `text` on the screen looks; undefined where it isn't there. */
  styleOf(text: string): Cell | undefined;
  /** How often the bell has rung. */
  bells(): number;
  /** Every byte that was written, for sequences that draw nothing. */
  raw(): string;
  resize(columns: number, rows: number): void;
  /** Resolves with the exit code. */
  readonly exited: Promise<number>;
  /** Ends the program if it still runs, and waits for its end. */
  close(): Promise<void>;
}

export interface TerminalOptions {
  readonly columns: number;
  readonly rows: number;
  readonly cwd?: string;
  readonly env: NodeJS.ProcessEnv;
}

/** Rows that can scroll away and still be read. */
const SCROLLBACK = 5_000;

/** Starts a program at a terminal of this size. */
export function startTerminal(program: string, argv: readonly string[], options: TerminalOptions): TerminalSession {
  const { columns, rows, cwd, env } = options;
  const emulator = new xterm.Terminal({ cols: columns, rows, scrollback: SCROLLBACK, allowProposedApi: true });
  const child = spawn(program, [...argv], { name: 'xterm-256color', cols: columns, rows, cwd, env: { ...env, TERM: 'xterm-256color' } });
  const watchers = new Set<() => void>();
  let bells = 0;
  let raw = '';
  let ended = false;
  emulator.onBell(() => (bells += 1));
  emulator.onData((answer) => child.write(answer)); // a terminal answers what it is asked for, such as the place of its cursor
  child.onData((text) => {
    raw += text;
    emulator.write(text, () => watchers.forEach((look) => look()));
  });
  const exited = new Promise<number>((resolve) =>
    child.onExit(({ exitCode }) => {
      emulator.write('', () => {
        ended = true; // and all that it wrote stands on the screen
        watchers.forEach((look) => look());
      });
      resolve(exitCode);
    }),
  );
  const screen = (): string => textOf(emulator.buffer.active, 'screen');
  const until: TerminalSession['until'] = async (what, probe, { withinMs = PATIENCE_MS } = {}) => {
    if (probe()) return;
    await new Promise<void>((resolve, reject) => {
      const finish = (settle: () => void): void => {
        clearTimeout(timer);
        watchers.delete(look);
        settle();
      };
      const fail = (why: string): void => finish(() => reject(new Error(`${what}: ${why}. The screen:\n${screen()}`)));
      const look = (): void => {
        if (probe()) finish(resolve);
        else if (ended) fail('the program has ended');
      };
      const timer = setTimeout(() => fail(`not within ${String(withinMs)} ms`), withinMs);
      watchers.add(look);
    });
  };
  return {
    type: (text) => child.write(text),
    press: (...keys) => keys.forEach((key) => child.write(bytesOf(key))),
    paste: (text) => child.write(`\x1b[200~${text}\x1b[201~`),
    screen,
    cells: () => cellsOf(emulator),
    history: () => textOf(emulator.buffer.active, 'all'),
    shows: async (pattern, limits) => {
      await until(`shows ${String(pattern)}`, () => matches(screen(), pattern), limits);
      return screen();
    },
    until,
    styleOf: (text) => {
      const row = cellsOf(emulator).find((cells) =>
        cells
          .map((cell) => cell.text)
          .join('')
          .includes(text),
      );
      const at =
        row
          ?.map((cell) => cell.text)
          .join('')
          .indexOf(text) ?? -1;
      return row?.find((cell) => cell.at === at);
    },
    bells: () => bells,
    raw: () => raw,
    resize: (cols, height) => {
      emulator.resize(cols, height);
      child.resize(cols, height);
    },
    exited,
    close: async () => {
      if (!ended) child.kill('SIGTERM');
      await exited;
      emulator.dispose();
    },
  };
}

const matches = (text: string, pattern: RegExp | string): boolean =>
  typeof pattern === 'string' ? text.includes(pattern) : pattern.test(text);

function bytesOf(key: KeyName): string {
  if (key in KEYS) return KEYS[key as keyof typeof KEYS];
  const letter = key.at(-1)!;
  return key.startsWith('ctrl-') ? String.fromCharCode(letter.charCodeAt(0) - 0x60) : `\x1b${letter}`;
}
