import { setImmediate as nextTurn } from 'node:timers/promises';
import { ApiError, LlmError } from '@codelab/llm';
import { hashEmbedding, OFFLINE_DIMENSIONS } from './hash-embedding.js';
import type { EmbeddingsRequest } from './read-embeddings.js';

/** The longest text that is taken: a longer one would hold up everybody. */
const MAX_CHARACTERS = 100_000;

/** What the answer says of itself, as a header. */
export const OFFLINE_NOTE = 'the built-in embedding: hashed words and trigrams, no language model';

/** The built-in model's answer in OpenAI's shape. Throws `ApiError`, and `LlmError` when the caller leaves. */
export async function offlineEmbeddings(request: EmbeddingsRequest, leaving: { readonly aborted: boolean }): Promise<object> {
  const { inputs, dimensions = OFFLINE_DIMENSIONS, encoding, model, tokens } = request;
  if (dimensions > OFFLINE_DIMENSIONS) throw refused('dimensions', `the built-in embedding has at most ${String(OFFLINE_DIMENSIONS)}`);
  const data: object[] = [];
  for (const [index, input] of inputs.entries()) {
    if (input.length > MAX_CHARACTERS)
      throw refused('input', `a text for the built-in embedding has at most ${String(MAX_CHARACTERS)} characters`);
    const vector = hashEmbedding(input, dimensions);
    data.push({ object: 'embedding', index, embedding: encoding === 'base64' ? toBase64(vector) : [...vector] });
    await nextTurn();
    if (leaving.aborted) throw new LlmError('cancelled', 'The caller left.');
  }
  return { object: 'list', data, model, usage: { prompt_tokens: tokens, total_tokens: tokens } };
}

const refused = (param: string, what: string): ApiError => new ApiError('invalid_request', `${param}: ${what}`, { param });

/** Little-endian, as OpenAI's are. */
function toBase64(vector: Float32Array): string {
  const bytes = Buffer.alloc(vector.length * 4);
  for (const [place, value] of vector.entries()) bytes.writeFloatLE(value, place * 4);
  return bytes.toString('base64');
}
