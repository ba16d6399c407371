import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import {
  drawMap,
  embedChunks,
  findPlaces,
  Indexer,
  IndexStore,
  WriterLock,
  type EmbeddingsClient,
  type Place,
  type SourceReader,
} from '@codelab/code-index';
import type { WorkspaceRoot } from '../files/paths/workspace-root.js';
import type { FromWorker, IndexRequests, IndexSetup, IndexStatus, ToWorker } from './messages.js';
import { WorkspaceTree } from './workspace-tree.js';

type Request = Extract<ToWorker, { readonly args: unknown }>;
type Embedded = Extract<ToWorker, { readonly kind: 'embedded' }>;

/** After a failure of the endpoint vectors are left alone for so long. */
const EMBEDDINGS_REST_MS = 60_000;
const QUESTION_MS = 3_000;

/** What the worker does with one index. */
export class IndexService {
  private readonly store: IndexStore;
  private readonly tree: WorkspaceTree;
  private readonly indexer: Indexer;
  private readonly closing = new AbortController();
  private readonly embeds = new Map<
    number,
    { resolve: (vectors: readonly (readonly number[])[]) => void; reject: (error: Error) => void }
  >();
  private nextEmbed = 0;
  private embedsAgainAt = 0;
  private embedding: Promise<void> | undefined;

  constructor(
    root: WorkspaceRoot,
    private readonly setup: IndexSetup,
    private readonly send: (message: FromWorker) => void,
  ) {
    this.store = new IndexStore(join(setup.directory, 'index.db'));
    this.tree = new WorkspaceTree(root);
    this.indexer = new Indexer({ store: this.store, lock: new WriterLock(join(setup.directory, 'writer.lock')), tree: this.tree });
  }

  /** Begins to build it, or to bring it up to date. */
  begin(): void {
    void this.update();
  }

  touch(paths: readonly string[] | undefined): void {
    this.indexer.touch(paths);
  }

  async answer(request: Request): Promise<IndexRequests[keyof IndexRequests][1]> {
    switch (request.kind) {
      case 'search':
        return this.search(request.args);
      case 'map':
        return this.map(request.args);
      case 'update':
        await this.patiently(request.args.patienceMs, () => this.update());
        return this.status();
      case 'rebuild':
        await this.indexer.rebuild();
        void this.update();
        return this.status();
      case 'status':
        return this.status();
      case 'close':
        this.closing.abort(new Error('The index is being closed.'));
        await this.indexer.settled();
        this.store.close();
        return {};
    }
  }

  embedded({ id, vectors, fault }: Embedded): void {
    const waiting = this.embeds.get(id);
    this.embeds.delete(id);
    if (vectors === undefined) waiting?.reject(new Error(fault));
    else waiting?.resolve(vectors);
  }

  private async search({ query, limit, patienceMs }: IndexRequests['search'][0]): Promise<IndexRequests['search'][1]> {
    await this.patiently(patienceMs, () => this.catchUp());
    if (!this.store.isReadable) return { hits: [], ...this.note() };
    const vector = await this.vectorOf(query);
    let found = await this.find({ query, limit, vector });
    if (found.changed.length > 0) {
      this.indexer.touch(found.changed);
      await this.patiently(patienceMs, () => this.catchUp());
      found = await this.find({ query, limit, vector });
    }
    return { hits: found.hits, ...this.note() };
  }

  /** @returns places, and those of their files that are not what the index knows */
  private find(
    question: Parameters<typeof findPlaces>[2],
  ): Promise<{ readonly hits: readonly Place[]; readonly changed: readonly string[] }> {
    const changed: string[] = [];
    return this.tree.read((reader) => {
      const file: SourceReader['file'] = (path) => {
        const found = reader.file(path);
        if (!this.indexer.isCurrent(path, found)) changed.push(path);
        return found;
      };
      return Promise.resolve({ hits: findPlaces(this.store, { file }, question), changed });
    });
  }

  private async map({ directory, maxTokens, patienceMs }: IndexRequests['map'][0]): Promise<IndexRequests['map'][1]> {
    await this.patiently(patienceMs, () => this.catchUp());
    if (!this.store.isReadable) return { text: '', ...this.note() };
    return { text: drawMap(this.store, directory, maxTokens), ...this.note() };
  }

  private note(): { readonly note?: string } {
    const { state, done, total, note } = this.indexer.state;
    if (state === 'building') return { note: `The index is still being built: ${String(done)} of ${String(total)} files.` };
    if (state === 'stale') return { note: `The index may be behind the files${note === undefined ? '' : `: ${note}`}.` };
    return note === undefined ? {} : { note: `${note[0]!.toUpperCase()}${note.slice(1)}.` };
  }

  private status(): IndexStatus {
    const readable = this.store.isReadable;
    const counts = readable ? this.store.counts() : { files: 0, chunks: 0 };
    return { ...this.indexer.state, ...counts, vectors: readable ? this.store.vectorCount() : 0, bytes: readable ? this.store.bytes : 0 };
  }

  /** Brings it up to date, vectors and all. Failures are left to the next one: what there is can be searched. */
  private update(): Promise<void> {
    return this.indexer
      .update(this.closing.signal)
      .then(() => this.embed())
      .catch(() => undefined);
  }

  /** Waits for what is known to have changed. */
  private catchUp(): Promise<void> {
    return this.indexer
      .catchUp(this.closing.signal)
      .then(() => void this.embed())
      .catch(() => undefined);
  }

  /** Stops waiting for some work after a while; it goes on all the same. */
  private async patiently(patienceMs: number, work: () => Promise<void>): Promise<void> {
    const patience = new AbortController();
    await Promise.race([work(), wait(patienceMs, undefined, { signal: patience.signal, ref: false }).catch(() => undefined)]);
    patience.abort();
  }

  private get client(): EmbeddingsClient | undefined {
    const { embeddings } = this.setup;
    if (embeddings === undefined || Date.now() < this.embedsAgainAt) return undefined;
    return {
      model: embeddings.model,
      embed: (texts) =>
        new Promise((resolve, reject) => {
          const id = (this.nextEmbed += 1);
          this.embeds.set(id, { resolve, reject });
          this.send({ kind: 'embed', id, texts });
        }),
    };
  }

  /** Gives vectors to what has none; one such run at a time, which others wait for. */
  private embed(): Promise<void> {
    this.embedding ??= this.embedAll().finally(() => (this.embedding = undefined));
    return this.embedding;
  }

  private async embedAll(): Promise<void> {
    const { client } = this;
    if (client === undefined || this.indexer.state.state !== 'ready') return;
    try {
      const { signal } = this.closing;
      await this.tree.read((reader) => embedChunks(this.store, reader, { client, budget: this.setup.embeddings!.budget, signal }));
    } catch {
      this.embedsAgainAt = Date.now() + EMBEDDINGS_REST_MS; // searches go by words meanwhile
    }
  }

  private async vectorOf(query: string): Promise<readonly number[] | undefined> {
    const { client } = this;
    if (client === undefined || this.store.vectorCount() === 0) return undefined;
    const question = client.embed([query], this.closing.signal).catch(() => {
      this.embedsAgainAt = Date.now() + EMBEDDINGS_REST_MS;
      return [];
    });
    const vectors = await Promise.race([question, wait(QUESTION_MS, [], { ref: false })]);
    return vectors[0];
  }
}
