import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { CodeLabClient, type ToolExecutor } from '@codelab/client';
import { isSteady, longestSilence } from './gaps.js';

/** The file that a model reads again and again. */
const READS: ToolExecutor = {
  tools: ['read_file'],
  run: async () => ({ ok: true, result: { content: 'text', encoding: 'utf-8', size: 4 } }),
  preview: async () => undefined,
};

/** What a client is made with. */
export interface BusyClientOptions {
  /** `session-…`; the model reads it in what the client says. */
  readonly name: string;
  /** `ws://…/ws` */
  readonly url: string;
  readonly token: string;
  /** For its journal. */
  readonly folder: string;
}

/** The client that people have, with its own waits between attempts, in a turn that goes on and on; and what it hears, by time. */
export class BusyClient {
  private heardAt: number[] = [];
  private isWorking = false;

  private constructor(
    readonly name: string,
    private readonly client: CodeLabClient,
  ) {}

  static async open({ name, url, token, folder }: BusyClientOptions): Promise<BusyClient> {
    const journalDir = join(folder, name);
    await mkdir(journalDir, { recursive: true });
    const heard: { by?: BusyClient } = {};
    const client = new CodeLabClient({
      ...{ url, token, clientId: name, journalDir, executor: READS },
      client: { name: 'recovery', version: '1.0.0' },
      workspace: { id: name, name, root: '/' },
      onFrame: (frame) => {
        if ('seq' in frame && frame.seq !== undefined) heard.by?.heardAt.push(performance.now());
        if (frame.type === 'turn_ended') heard.by?.goOn();
      },
    });
    heard.by = new BusyClient(name, client);
    await client.connect();
    return heard.by;
  }

  /** Begins turns, one after another, until `rest`. */
  work(): void {
    this.isWorking = true;
    this.goOn();
  }

  rest(): void {
    this.isWorking = false;
  }

  /** Milliseconds until the servers have a new message. */
  async say(): Promise<number> {
    const began = performance.now();
    await this.client.sendMessage(`a word with ${this.name}`);
    return performance.now() - began;
  }

  forget(): void {
    this.heardAt = this.heardAt.slice(-1);
  }

  isSteady(forMs: number, quietMs: number): boolean {
    return isSteady(this.heardAt, performance.now(), { forMs, quietMs });
  }

  silenceMs(struckAt: number): number | undefined {
    return longestSilence(this.heardAt, struckAt);
  }

  async close(): Promise<void> {
    this.isWorking = false;
    await this.client.close();
  }

  private goOn(): void {
    if (this.isWorking) this.client.sendMessage(`busy ${this.name}`).catch(() => undefined); // it is closed
  }
}
