import type {
  CreateTerminalRequest,
  ReadTextFileRequest,
  TerminalExitStatus,
  TerminalOutputResponse,
  WriteTextFileRequest,
} from '@agentclientprotocol/sdk';
import { RequestError } from '@agentclientprotocol/sdk';
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readFile, writeFile } from 'node:fs/promises';

/** The folder that an editor has open. */
export interface EditorWorkspace {
  readonly root: string;
}

/** The files of an editor: buffers that are not saved count before what is on disk. Written ones are saved. */
export class EditorFiles {
  /** What stands in the editor and is not saved, by absolute path. */
  readonly buffers = new Map<string, string>();
  readonly reads: string[] = [];
  readonly writes: WriteTextFileRequest[] = [];
  /** Happens before the next write. */
  beforeWrite: () => Promise<void> | void = () => undefined;
  /** The editor refuses to write. */
  refuses = false;

  async read({ path }: ReadTextFileRequest): Promise<{ content: string }> {
    this.reads.push(path);
    const buffer = this.buffers.get(path);
    if (buffer !== undefined) return { content: buffer };
    const content = await readFile(path, 'utf8').catch(() => {
      throw RequestError.resourceNotFound(path);
    });
    return { content };
  }

  async write(request: WriteTextFileRequest): Promise<Record<string, never>> {
    await this.beforeWrite();
    if (this.refuses) throw RequestError.internalError(undefined, 'the file is locked in the editor');
    this.writes.push(request);
    this.buffers.delete(request.path);
    await writeFile(request.path, request.content);
    return {};
  }
}

/** The terminals of an editor: real processes. */
export class EditorTerminals {
  readonly created: CreateTerminalRequest[] = [];
  readonly released: string[] = [];
  readonly killed: string[] = [];
  private readonly open = new Map<string, { child: ChildProcess; output: string; ended: Promise<TerminalExitStatus> }>();

  create(request: CreateTerminalRequest): { terminalId: string } {
    this.created.push(request);
    const { command, args = [], cwd, env = [] } = request;
    const variables = Object.fromEntries(env.map(({ name, value }) => [name, value]));
    const child = spawn(command, args, { cwd: cwd ?? undefined, env: { ...process.env, ...variables }, stdio: ['ignore', 'pipe', 'pipe'] });
    const ended = once(child, 'close').then(([exitCode, signal]) => ({
      exitCode: exitCode as number | null,
      signal: signal as string | null,
    }));
    const terminal = { child, output: '', ended };
    for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', (text: string) => (terminal.output += text));
    const terminalId = `term-${String(this.created.length)}`;
    this.open.set(terminalId, terminal);
    return { terminalId };
  }

  output(terminalId: string): TerminalOutputResponse {
    const { child, output } = this.find(terminalId);
    const { exitCode, signalCode } = child;
    const exitStatus = exitCode === null && signalCode === null ? undefined : { exitCode, signal: signalCode };
    return { output, truncated: false, exitStatus };
  }

  waitForExit(terminalId: string): Promise<TerminalExitStatus> {
    return this.find(terminalId).ended;
  }

  kill(terminalId: string): Record<string, never> {
    this.killed.push(terminalId);
    this.find(terminalId).child.kill('SIGKILL');
    return {};
  }

  release(terminalId: string): Record<string, never> {
    this.released.push(terminalId);
    this.find(terminalId).child.kill('SIGKILL');
    this.open.delete(terminalId);
    return {};
  }

  async close(): Promise<void> {
    for (const { child, ended } of this.open.values()) {
      child.kill('SIGKILL');
      await ended;
    }
  }

  private find(terminalId: string) {
    const terminal = this.open.get(terminalId);
    if (terminal === undefined) throw RequestError.resourceNotFound(terminalId);
    return terminal;
  }
}
