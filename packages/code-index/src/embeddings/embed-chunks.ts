import type { SourceReader } from '../indexing/source-tree.js';
import type { IndexStore } from '../store/index-store.js';
import { hashName } from '../text/identifiers.js';
import { toBytes, type EmbeddingsClient } from './embeddings.js';

const BATCH = 32;
const MAX_CHARACTERS = 2_000;

/**
 * Gives vectors to chunks that have none, those of important files first.
 *
 * @param budget chunks that have vectors at most
 * @returns how many more it gave
 * @throws what the client throws
 */
export async function embedChunks(
  store: IndexStore,
  reader: SourceReader,
  { client, budget, signal }: { readonly client: EmbeddingsClient; readonly budget: number; readonly signal: AbortSignal },
): Promise<number> {
  const model = hashName(client.model);
  if (store.meta('embeddings') !== model)
    store.transaction(() => {
      store.clearVectors();
      store.setMeta('embeddings', model);
    });
  let given = 0;
  for (let room = budget - store.vectorCount(); room > 0; room -= BATCH) {
    const chunks = store.withoutVector(Math.min(BATCH, room));
    if (chunks.length === 0) break;
    const texts = chunks.map(({ path, start, end, name }) => {
      const lines =
        reader
          .file(path)
          ?.content.toString('utf8')
          .split('\n')
          .slice(start - 1, end) ?? [];
      return `${path} ${name}\n${lines.join('\n')}`.slice(0, MAX_CHARACTERS);
    });
    const vectors = await client.embed(texts, signal);
    signal.throwIfAborted();
    store.transaction(() => chunks.forEach(({ id }, index) => store.setVector(id, toBytes(vectors[index] ?? []))));
    given += chunks.length;
  }
  return given;
}
