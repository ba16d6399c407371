import { fileURLToPath } from 'node:url';
import { Worker } from 'node:worker_threads';
import type { ReadablePage } from './html-to-markdown.js';

/** To the thread. */
export interface PageQuestion {
  readonly id: number;
  /** HTML, or XML: whether that is a feed turns out there. */
  readonly kind: 'html' | 'xml';
  readonly text: string;
  readonly url: string;
}

/** From the thread. */
export interface PageAnswer {
  /** Of the question, or `READY`. */
  readonly id: number;
  /** `null`: XML that is no feed. */
  readonly page?: ReadablePage | null;
  readonly fault?: string;
}

/** A page that can't be read; `message` says why as the end of a sentence. */
export class UnreadablePage extends Error {
  override readonly name = 'UnreadablePage';
}

export interface PageReaderOptions {
  /** For one page, in milliseconds, once the thread stands. */
  readonly timeoutMs?: number;
  /** Pages that wait at the same time; more are refused. */
  readonly maxWaiting?: number;
  /** After how long without a page the thread ends. */
  readonly idleMs?: number;
}

/** What a thread says first, once it has read its own code. */
const READY = 0;
/** For that, on a busy machine. */
const START_MS = 30_000;
const HEAP_MB = 256;
const IS_SOURCE = import.meta.url.endsWith('.ts');
/** Beside this module, or beside the bundle that it is a part of; tests run the sources. */
const FILE = new URL(IS_SOURCE ? './page-worker.ts' : './page-worker.js', import.meta.url);
const SOURCES = ['--conditions=codelab-source', '--import', new URL('../../../../scripts/register-swc.mjs', import.meta.url).href];

/**
 * Reads pages in a thread of its own, one after another: whatever a page is made of, this process goes on meanwhile. A page that takes too long, too much
 * memory or too deep a stack costs the thread, and the next page gets a new one.
 */
export class PageReader {
  private readonly timeoutMs: number;
  private readonly maxWaiting: number;
  private readonly idleMs: number;
  private readonly ready = new WeakSet<Worker>();
  private worker: Worker | undefined;
  private idle: NodeJS.Timeout | undefined;
  private last: Promise<unknown> = Promise.resolve();
  private waiting = 0;
  private lastId = 0;

  constructor({ timeoutMs = 8_000, maxWaiting = 32, idleMs = 30_000 }: PageReaderOptions = {}) {
    this.timeoutMs = timeoutMs;
    this.maxWaiting = maxWaiting;
    this.idleMs = idleMs;
  }

  /** A page of HTML. Throws {@link UnreadablePage}. */
  async read(html: string, url: string): Promise<ReadablePage> {
    return (await this.ask({ kind: 'html', text: html, url }))!;
  }

  /** The entries of a feed, or nothing for other XML. Throws {@link UnreadablePage}. */
  async readFeed(xml: string, url: string): Promise<ReadablePage | undefined> {
    return (await this.ask({ kind: 'xml', text: xml, url })) ?? undefined;
  }

  /** Ends the thread. The next page starts another. */
  async close(): Promise<void> {
    clearTimeout(this.idle);
    const { worker } = this;
    this.worker = undefined;
    await worker?.terminate();
  }

  private async ask(question: Omit<PageQuestion, 'id'>): Promise<ReadablePage | null> {
    if (this.waiting >= this.maxWaiting) throw new UnreadablePage('too many pages are read at the same time: try again in a moment');
    this.waiting += 1;
    clearTimeout(this.idle);
    const turn = this.last.then(() => this.askNext(question));
    this.last = turn.catch(() => undefined);
    try {
      return await turn;
    } finally {
      this.waiting -= 1;
      if (this.waiting === 0) this.idle = setTimeout(() => void this.close(), this.idleMs).unref();
    }
  }

  private askNext(question: Omit<PageQuestion, 'id'>): Promise<ReadablePage | null> {
    const worker = (this.worker ??= open());
    const id = (this.lastId += 1);
    return new Promise((resolve, reject) => {
      const end = (): void => {
        clearTimeout(timer);
        worker.off('message', hear).off('error', fail).off('exit', exit).unref();
      };
      const drop = (why: string): void => {
        end();
        if (this.worker === worker) this.worker = undefined;
        worker.on('error', () => undefined); // it may die of the same page while it is being ended
        worker.terminate().then(
          () => reject(new UnreadablePage(why)),
          () => reject(new UnreadablePage(why)),
        );
      };
      const fail = (error: Error): void =>
        drop((error as { code?: unknown }).code === 'ERR_WORKER_OUT_OF_MEMORY' ? 'it takes too much memory to read' : 'it is broken');
      const exit = (): void => drop('its reader was stopped');
      const hear = (answer: PageAnswer): void => {
        if (answer.id === READY) {
          this.ready.add(worker);
          limit(this.timeoutMs);
        }
        if (answer.id !== id) return;
        if (answer.page === undefined) return drop(answer.fault === 'too deep' ? 'it is nested too deeply to be read' : 'it is broken');
        end();
        resolve(answer.page);
      };
      let timer: NodeJS.Timeout | undefined;
      const limit = (ms: number): void => {
        clearTimeout(timer);
        timer = setTimeout(() => drop(`reading it takes over ${String(ms / 1_000)} s`), ms);
      };
      limit(this.ready.has(worker) ? this.timeoutMs : START_MS);
      worker.on('message', hear).on('error', fail).on('exit', exit).ref();
      worker.postMessage({ id, ...question } satisfies PageQuestion);
    });
  }
}

/** It sees no variable of this process, and what it prints is nobody's concern. */
function open(): Worker {
  const worker = new Worker(fileURLToPath(FILE), {
    ...{ env: {}, argv: [], execArgv: IS_SOURCE ? SOURCES : [], stdin: false, stdout: true, stderr: true },
    resourceLimits: { maxOldGenerationSizeMb: HEAP_MB, maxYoungGenerationSizeMb: 32 },
  });
  worker.stdout.resume();
  worker.stderr.resume();
  return worker;
}
