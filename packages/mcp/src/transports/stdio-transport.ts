import { spawn, type ChildProcessWithoutNullStreams } from 'node:child_process';
import { once } from 'node:events';
import { parseJSONRPCMessage, type JSONRPCMessage, type Transport } from '@modelcontextprotocol/client';
import { McpError } from '../servers/mcp-error.js';
import { LineSplitter } from './line-splitter.js';

/** How long a program may take to end after its input has, and again after SIGTERM. */
const GRACE_MS = 1_500;

const ABANDON_MS = 100;

/** The end of the standard error that is kept, in characters. */
const MAX_STDERR = 4_000;

/** As much that is no message ends the connection. */
const MAX_NOISE_BYTES = 32 * 1024 * 1024;

/** What may wait for a program that does not read. */
const MAX_WAITING_BYTES = 16 * 1024 * 1024;

/** Elements of one line that is a batch. */
const MAX_BATCH = 100;

export interface StdioOptions {
  readonly command: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly cwd: string;
  readonly onMisconduct: (sentence: string) => void;
  readonly onFatal: (sentence: string) => void;
}

/**
 * A server that is a program: one JSON message a line over its standard input and output. It runs in a process group of its own, and the
 * whole group is gone after {@link close}, whatever it does.
 */
export class StdioTransport implements Transport {
  onclose?: (() => void) | undefined;
  onerror?: ((error: Error) => void) | undefined;
  onmessage?: ((message: JSONRPCMessage) => void) | undefined;
  private child: ChildProcessWithoutNullStreams | undefined;
  private readonly lines = new LineSplitter();
  private errors = '';
  private noise = 0;
  private closing: Promise<void> | undefined;
  /** How the program ended, as a phrase; undefined while it runs. */
  private end: string | undefined;
  private graceMs = GRACE_MS;

  /** Why the program could not be started, as a code of the system (`ENOENT`). */
  startFault: string | undefined;

  constructor(private readonly options: StdioOptions) {}

  /** The end of what the program wrote to its standard error. */
  get stderrTail(): string {
    return this.errors;
  }

  get exit(): string | undefined {
    return this.end;
  }

  async start(): Promise<void> {
    const { command, args, env, cwd } = this.options;
    const child = spawn(command, [...args], { cwd, env, stdio: 'pipe', detached: process.platform !== 'win32', windowsHide: true });
    this.child = child;
    child.stdin.on('error', () => undefined); // the end of the program says it
    child.stdout.on('error', () => undefined);
    child.stderr.on('error', () => undefined);
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      this.errors = (this.errors + text).slice(-MAX_STDERR);
    });
    child.stdout.on('data', (chunk: Buffer) => this.read(chunk));
    child.stdout.on('end', () => void this.close());
    child.on('exit', (code, signal) => {
      this.end ??= signal === null ? `it ended with code ${String(code)}` : `it was ended by ${signal}`;
      void this.close();
    });
    endWithProcess(this);
    await new Promise<void>((resolve, reject) => {
      child.once('spawn', resolve);
      child.once('error', (error: NodeJS.ErrnoException) => {
        this.startFault = error.code ?? 'unknown error';
        reject(error);
      });
    });
  }

  async send(message: JSONRPCMessage): Promise<void> {
    const stdin = this.child?.stdin;
    if (stdin === undefined || !stdin.writable || this.closing !== undefined) throw new Error('the program has ended');
    if (stdin.writableLength > MAX_WAITING_BYTES)
      throw new McpError('REFUSED', 'The MCP server does not read what it is sent; nothing was sent.');
    if (stdin.write(`${JSON.stringify(message)}\n`)) return;
    await Promise.race([once(stdin, 'drain'), once(stdin, 'close')]);
  }

  /** Ends a program that has not been spoken to yet: it has nothing to put in order. */
  abandon(): Promise<void> {
    this.graceMs = ABANDON_MS;
    return this.close();
  }

  close(): Promise<void> {
    return (this.closing ??= this.stop());
  }

  private async stop(): Promise<void> {
    const { child } = this;
    if (child?.pid !== undefined) {
      const exited = child.exitCode !== null || child.signalCode !== null ? Promise.resolve() : once(child, 'exit');
      child.stdin.end();
      if (!(await within(exited, this.graceMs))) {
        this.signal('SIGTERM');
        await within(exited, this.graceMs);
      }
      this.signal('SIGKILL'); // its children, too, which may have outlived it
      await within(exited, GRACE_MS);
      for (const stream of [child.stdin, child.stdout, child.stderr]) stream.destroy();
    }
    running.delete(this);
    this.onclose?.();
  }

  /** Ends the whole group of the program at once. */
  kill(): void {
    if (this.child?.pid !== undefined) this.signal('SIGKILL');
  }

  private signal(signal: NodeJS.Signals): void {
    try {
      if (process.platform === 'win32') this.child!.kill(signal);
      else process.kill(-this.child!.pid!, signal);
    } catch {
      // nothing of it is left
    }
  }

  private read(chunk: Buffer): void {
    const lines = this.lines.push(chunk);
    if (lines === undefined) return this.fail('it sent a line of more than 16 MB');
    for (const line of lines) if (!this.readLine(line)) return;
  }

  /** @returns false when no further line is read */
  private readLine(line: Buffer): boolean {
    const messages = parseLine(line);
    if (messages === undefined) {
      this.noise += line.length + 1;
      if (line.some((byte) => byte > 32)) this.options.onMisconduct('It writes lines to its standard output that are no messages.');
      if (this.noise <= MAX_NOISE_BYTES) return true;
      this.fail('it floods its standard output with what is no message');
      return false;
    }
    this.noise = 0;
    for (const message of messages) this.onmessage?.(message);
    return this.closing === undefined;
  }

  private fail(sentence: string): void {
    this.child?.stdout.removeAllListeners('data').resume();
    this.options.onFatal(sentence);
  }
}

const running = new Set<StdioTransport>();

const killAll = (): void => {
  for (const transport of running) transport.kill();
};

/** A process that exits without having closed its servers leaves none of them behind. */
function endWithProcess(transport: StdioTransport): void {
  running.add(transport);
  process.off('exit', killAll).on('exit', killAll);
}

/** The messages of a line; undefined for what is none. */
function parseLine(line: Buffer): readonly JSONRPCMessage[] | undefined {
  if (line[0] !== 0x7b && line[0] !== 0x5b) return undefined; // { or [
  try {
    const value = JSON.parse(line.toString('utf8')) as unknown;
    return Array.isArray(value) ? value.slice(0, MAX_BATCH).map(parseJSONRPCMessage) : [parseJSONRPCMessage(value)];
  } catch {
    return undefined;
  }
}

/** Whether it happened in time. */
async function within(event: Promise<unknown>, ms: number): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<boolean>((resolve) => (timer = setTimeout(() => resolve(false), ms)));
  const happened = await Promise.race([event.then(() => true), late]);
  clearTimeout(timer);
  return happened;
}
