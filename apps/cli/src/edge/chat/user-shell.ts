import { spawn, type ChildProcess } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { StringDecoder } from 'node:string_decoder';
import { stripVTControlCharacters } from 'node:util';
import type { SessionEvent } from '@codelab/client/view';
import type { Attachment } from '@codelab/protocol';
import { maskSecrets } from '@codelab/tools';
import { systemShell } from '@codelab/workspace';

/** Characters of one output that a model reads: the last ones. */
const MAX_TOLD = 8_000;
/** Outputs that go with one message: the last ones. */
const MAX_OUTPUTS = 8;
const MAX_NAME = 200;

interface Ports {
  /** The folder that is talked about. */
  readonly root: string;
  readonly tell: (event: SessionEvent) => void;
  /** Secrets that may leave this machine, by their fingerprints. */
  readonly allowedSecrets: () => Promise<ReadonlySet<string>>;
}

/**
 * Runs what the user enters after `!`: at once and without approval, for it is their own will, in their own shell and environment. What
 * it printed goes to the model with the next message, masked as every result is.
 */
export class UserShell {
  private running: { readonly child: ChildProcess; signals: number } | undefined;
  private outputs: { readonly command: string; readonly how: string; readonly text: string }[] = [];

  constructor(private readonly ports: Ports) {}

  /** Resolves when the command has ended. One runs at a time: another one is refused by the chat. */
  async run(command: string): Promise<void> {
    const { root, tell } = this.ports;
    const id = randomUUID();
    tell({ kind: 'shell_started', id, command, atMs: Date.now() });
    const { program, posix } = await systemShell();
    const options = { cwd: root, detached: posix };
    const child = posix ? spawn(program, ['-c', '--', command], options) : spawn(command, { ...options, shell: true });
    child.stdin.on('error', () => undefined).end(); // nobody types into it
    this.running = { child, signals: 0 };
    let text = '';
    const hear = (data: string): void => {
      if (data === '') return;
      text = (text + data).slice(-4 * MAX_TOLD);
      tell({ kind: 'shell_printed', id, data, atMs: Date.now() });
    };
    for (const stream of [child.stdout, child.stderr]) {
      const decoder = new StringDecoder('utf8');
      stream.on('data', (chunk: Buffer) => hear(decoder.write(chunk)));
      stream.on('end', () => hear(decoder.end()));
    }
    const code = await new Promise<number | null>((resolve) => {
      child.once('error', (error) => {
        hear(`${error.message}\n`);
        resolve(127);
      });
      child.once('close', resolve);
      // What it left in the background heeds no Ctrl-C, and would hold its output open.
      child.once('exit', () => this.running !== undefined && this.running.signals > 0 && this.stop());
    });
    this.running = undefined;
    const how = code === null ? 'ended by a signal' : `exit ${code}`;
    this.outputs = [...this.outputs, { command: command.replaceAll(/\s+/g, ' '), how, text }].slice(-MAX_OUTPUTS);
    tell({ kind: 'shell_ended', id, code, atMs: Date.now() });
  }

  /** Ends what runs: first as Ctrl-C does, then for good. */
  stop(): void {
    const { running } = this;
    const pid = running?.child.pid;
    if (!running || pid === undefined) return;
    const isOver = running.child.exitCode !== null || running.child.signalCode !== null;
    const signal = running.signals === 0 && !isOver ? 'SIGINT' : 'SIGKILL';
    running.signals += 1;
    try {
      process.kill(-pid, signal);
    } catch {
      running.child.kill(signal); // it leads no group, or has just ended
    }
  }

  /** Ends what runs, for good. */
  close(): void {
    if (this.running) this.running.signals = 1;
    this.stop();
  }

  /** What was printed since the last message, for the next one: of so many commands at most, the last ones. */
  async take(room = MAX_OUTPUTS): Promise<readonly Attachment[]> {
    if (room === 0) return []; // they go with a message that has room
    const outputs = this.outputs.splice(0).slice(-room);
    if (outputs.length === 0) return [];
    const allowed = await this.ports.allowedSecrets();
    return outputs.map(({ command, how, text }) => {
      const name = maskSecrets(command, allowed).text.slice(0, MAX_NAME); // a secret that was cut would not be seen as one
      const plain = maskSecrets(stripVTControlCharacters(text), allowed).text.trimEnd();
      const content = plain.length > MAX_TOLD ? `(only the last ${MAX_TOLD} characters)\n${plain.slice(-MAX_TOLD)}` : plain;
      return { path: `the user ran: ${name} (${how})`, content: content === '' ? '(it printed nothing)' : content };
    });
  }
}
