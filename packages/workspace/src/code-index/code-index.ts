import { readFileSync, unlinkSync } from 'node:fs';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import type { EmbeddingsClient } from '@codelab/code-index';
import type { FromWorker, IndexRequests, IndexSetup, IndexStatus, ToWorker } from './messages.js';

/** How a workspace is indexed. */
export interface CodeIndexOptions {
  /** Makes vectors of code and questions; without it searches go by words. */
  readonly embeddings?: EmbeddingsClient | undefined;
  /** Chunks that have vectors at most. */
  readonly embeddingsBudget?: number | undefined;
  /** How long a search waits for the index to be brought up to date, in milliseconds; 1,500, if left out. */
  readonly patienceMs?: number | undefined;
  /** Node's options for the worker; those of this process, if left out. */
  readonly execArgv?: readonly string[] | undefined;
}

const PATIENCE_MS = 1_500;
/** What the worker may take for its own values; SQLite and the parsers have a few dozen megabytes beside it. */
const MAX_HEAP_MB = 200;
const CLOSE_MS = 2_000;
/** A worker that dies is begun again so many times. */
const MAX_STARTS = 3;
const DEFAULT_BUDGET = 20_000;

interface Waiting {
  readonly resolve: (answer: never) => void;
  readonly reject: (error: Error) => void;
}

/** The knowledge of a workspace's code: an index that a thread of its own builds and keeps up to date in the client's data directory. */
export class CodeIndex {
  private worker: Worker | undefined;
  private starts = 0;
  private closed = false;
  private nextId = 0;
  private readonly waiting = new Map<number, Waiting>();

  constructor(
    private readonly setup: Omit<IndexSetup, 'embeddings'>,
    private readonly options: CodeIndexOptions = {},
  ) {}

  /** Begins to build it in the background. */
  start(): void {
    if (!this.closed) this.worker ??= this.begin();
  }

  /** Places that a question is about, best first. */
  search(query: string, limit: number, signal?: AbortSignal): Promise<IndexRequests['search'][1]> {
    return this.ask('search', { query, limit, patienceMs: this.patienceMs }, signal);
  }

  /** What the files below a directory define. */
  map(directory: string, maxTokens: number, signal?: AbortSignal): Promise<IndexRequests['map'][1]> {
    return this.ask('map', { directory, maxTokens, patienceMs: this.patienceMs }, signal);
  }

  /** Brings it up to date, and waits for that. */
  update(patienceMs = this.patienceMs): Promise<IndexStatus> {
    return this.ask('update', { patienceMs });
  }

  status(): Promise<IndexStatus> {
    return this.ask('status', {});
  }

  /** Throws it away and begins anew. */
  rebuild(): Promise<IndexStatus> {
    return this.ask('rebuild', {});
  }

  /** Files that were written, so that the next search knows them; without paths, anything may have been. */
  touch(paths?: readonly string[]): void {
    this.post({ kind: 'touch', paths });
  }

  /** Stops it, and waits until it has. */
  async close(): Promise<void> {
    const { worker } = this;
    if (this.closed || worker === undefined) {
      this.closed = true;
      return;
    }
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<void>((resolve) => (timer = setTimeout(resolve, CLOSE_MS)));
    await Promise.race([this.ask('close', {}).catch(() => undefined), late]);
    clearTimeout(timer);
    this.closed = true;
    await worker.terminate();
  }

  private get patienceMs(): number {
    return this.options.patienceMs ?? PATIENCE_MS;
  }

  private ask<Kind extends keyof IndexRequests>(
    kind: Kind,
    args: IndexRequests[Kind][0],
    signal?: AbortSignal,
  ): Promise<IndexRequests[Kind][1]> {
    this.start();
    const { worker } = this;
    if (worker === undefined) return Promise.reject(new Error('The index of the code is closed.'));
    const id = (this.nextId += 1);
    return new Promise<IndexRequests[Kind][1]>((resolve, reject) => {
      const stop = (): void => settle(() => reject(signal!.reason as Error));
      const settle = (end: () => void): void => {
        this.waiting.delete(id);
        signal?.removeEventListener('abort', stop);
        if (this.waiting.size === 0) worker.unref();
        end();
      };
      this.waiting.set(id, { resolve: (answer) => settle(() => resolve(answer)), reject: (error) => settle(() => reject(error)) });
      signal?.addEventListener('abort', stop, { once: true });
      worker.ref();
      this.post({ kind, id, args } as ToWorker); // a kind with its own arguments
    });
  }

  private post(message: ToWorker): void {
    this.worker?.postMessage(message);
  }

  private begin(): Worker | undefined {
    if (this.starts >= MAX_STARTS) return undefined;
    this.starts += 1;
    const { embeddings, embeddingsBudget: budget = DEFAULT_BUDGET, execArgv } = this.options;
    const setup: IndexSetup = { ...this.setup, embeddings: embeddings && { model: embeddings.model, budget } };
    const file = import.meta.url.endsWith('.ts') ? './index-worker.ts' : './index-worker.js';
    const worker = new Worker(new URL(file, import.meta.url), {
      workerData: setup,
      resourceLimits: { maxOldGenerationSizeMb: MAX_HEAP_MB },
      execArgv: execArgv === undefined ? undefined : [...execArgv],
    });
    worker.on('message', (message: FromWorker) => this.hear(message));
    worker.unref(); // after the listener, which would hold this process again
    let fault = 'The index of the code was stopped.';
    worker.on('error', (error: Error) => (fault = `The index of the code failed: ${error.message}`));
    worker.on('exit', () => {
      if (this.worker === worker) this.worker = undefined;
      this.dropLock();
      for (const { reject } of [...this.waiting.values()]) reject(new Error(fault));
    });
    return worker;
  }

  private hear(message: FromWorker): void {
    if (message.kind === 'embed') void this.embed(message);
    else if (message.kind === 'answer') this.waiting.get(message.id)?.resolve(message.answer as never); // of the kind that was asked
    else this.waiting.get(message.id)?.reject(new Error(message.message));
  }

  private async embed({ id, texts }: Extract<FromWorker, { readonly kind: 'embed' }>): Promise<void> {
    try {
      const vectors = await this.options.embeddings!.embed(texts, AbortSignal.timeout(60_000));
      this.post({ kind: 'embedded', id, vectors });
    } catch (error) {
      this.post({ kind: 'embedded', id, fault: error instanceof Error ? error.message : String(error) });
    }
  }

  /** A worker that was ended in the middle leaves its lock, which is of a process that goes on. */
  private dropLock(): void {
    const file = join(this.setup.directory, 'writer.lock');
    try {
      const { pid } = JSON.parse(readFileSync(file, 'utf8')) as { readonly pid?: unknown };
      if (pid === process.pid) unlinkSync(file);
    } catch {
      // there is none
    }
  }
}
