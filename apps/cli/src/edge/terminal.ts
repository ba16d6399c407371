import { StringDecoder } from 'node:string_decoder';
import type { ReadStream, WriteStream } from 'node:tty';
import type { Key } from '../core/input/key.js';
import { KeyReader } from '../core/input/key-reader.js';
import type { Size } from '../core/screen/screen.js';

/** Bracketed paste, and word of the window's focus. */
const REPORTS_ON = '\x1b[?2004h\x1b[?1004h';
const REPORTS_OFF = '\x1b[?2004l\x1b[?1004l';
const SHOW_CURSOR = '\x1b[?25h';
const LEAVE_ALTERNATE = '\x1b[?1049l';
/** After this long without more, an escape was the key and not the beginning of a sequence. */
const ESCAPE_MS = 40;
/** Signals that end the process: the terminal gets its manners back first. */
const ENDING = ['SIGTERM', 'SIGHUP'] as const;

export interface TerminalEvents {
  onKey(key: Key): void;
  /** The size changed, or the terminal was somebody else's for a while: draw everything again. */
  onRedraw(): void;
  /** The process is asked to end. */
  onEnd(): void;
  /** The process stops (Ctrl-Z): take away what would be in the shell's way. */
  onSuspend(): void;
}

/**
 * The keyboard and screen of a person. Between `start` and `stop` keys come one by one; whatever ends the process, the terminal is left as
 * it was found.
 */
export class Terminal {
  private readonly reader = new KeyReader();
  private readonly decoder = new StringDecoder('utf8');
  private escapeTimer: NodeJS.Timeout | undefined;
  private events: TerminalEvents | undefined;
  private raw = false;
  /** Nothing was read yet. What was typed before, while the terminal still read lines, ends them with a line feed. */
  private first = true;

  constructor(
    private readonly input: ReadStream,
    private readonly output: WriteStream,
  ) {}

  get size(): Size {
    return { columns: Math.max(20, this.output.columns || 80), rows: Math.max(6, this.output.rows || 24) };
  }

  write(text: string): void {
    if (text !== '') this.output.write(text);
  }

  start(events: TerminalEvents): void {
    this.events = events;
    this.output.on('resize', this.redraw);
    process.on('exit', this.restore);
    process.on('SIGCONT', this.resume);
    for (const signal of ENDING) process.on(signal, this.end);
    this.input.on('data', this.read);
    this.input.on('end', this.end);
    this.enter();
  }

  stop(): void {
    this.leave();
    this.input.off('data', this.read);
    this.input.off('end', this.end);
    this.output.off('resize', this.redraw);
    process.off('exit', this.restore);
    process.off('SIGCONT', this.resume);
    for (const signal of ENDING) process.off(signal, this.end);
    clearTimeout(this.escapeTimer);
    this.events = undefined;
    this.input.unref();
  }

  /** Hands the terminal to another program, such as an editor, and takes it back. */
  async lend<T>(use: () => Promise<T>): Promise<T> {
    this.leave();
    try {
      return await use();
    } finally {
      this.enter();
      this.redraw();
    }
  }

  /** Stops the process as Ctrl-Z does in a shell; `SIGCONT` brings it back. */
  suspend(): void {
    this.events?.onSuspend();
    this.leave();
    process.kill(process.pid, 'SIGTSTP');
  }

  private enter(): void {
    if (this.raw) return;
    this.raw = true;
    this.input.setRawMode(true);
    this.input.resume();
    this.input.ref();
    this.output.write(REPORTS_ON);
  }

  private leave(): void {
    if (!this.raw) return;
    this.raw = false;
    this.output.write(REPORTS_OFF + SHOW_CURSOR);
    this.input.setRawMode(false);
    this.input.pause();
  }

  private readonly read = (chunk: Buffer): void => {
    clearTimeout(this.escapeTimer);
    const text = this.decoder.write(chunk);
    this.deliver(this.reader.push(this.first ? text.replaceAll('\n', '\r') : text));
    this.first = false;
    if (this.reader.waiting) this.escapeTimer = setTimeout(() => this.deliver(this.reader.flush()), ESCAPE_MS);
  };

  private deliver(keys: readonly Key[]): void {
    for (const key of keys) {
      if (key.kind === 'control' && key.letter === 'z') this.suspend();
      else this.events?.onKey(key);
    }
  }

  private readonly redraw = (): void => this.events?.onRedraw();
  private readonly end = (): void => this.events?.onEnd();
  private readonly resume = (): void => {
    this.enter();
    this.redraw();
  };
  private readonly restore = (): void => {
    if (!this.raw) return;
    this.output.write(LEAVE_ALTERNATE + REPORTS_OFF + SHOW_CURSOR);
    this.input.setRawMode(false);
  };
}
