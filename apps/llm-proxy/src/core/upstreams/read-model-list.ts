import { LlmError } from '@codelab/llm';

/** More names than that are not remembered of one upstream; OpenRouter has about 400. */
const MAX_MODELS = 2_000;
const MAX_NAME_CHARACTERS = 200;
const NAME = /^\S(?:[^\p{Cc}\p{Cs}]*\S)?$/u;

/** The names in an answer to `GET /models`, which has one shape in both dialects. Throws `unavailable` for anything else. */
export function readModelList(text: string): readonly string[] {
  const names = entriesOf(text).flatMap((entry) => {
    const id: unknown = typeof entry === 'object' && entry !== null && 'id' in entry ? entry.id : undefined;
    return typeof id === 'string' && id.length <= MAX_NAME_CHARACTERS && NAME.test(id) ? [id] : [];
  });
  return [...new Set(names)].slice(0, MAX_MODELS);
}

function entriesOf(text: string): readonly unknown[] {
  try {
    const body: unknown = JSON.parse(text);
    if (typeof body === 'object' && body !== null && 'data' in body && Array.isArray(body.data)) return body.data as unknown[];
  } catch {
    // no cause: its message quotes what the provider sent (L1)
  }
  throw new LlmError('unavailable', 'The model provider answered with something that is no list of models.', { retryable: false });
}
