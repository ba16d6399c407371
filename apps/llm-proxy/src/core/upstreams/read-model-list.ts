import { asObject, LlmError } from '@codelab/llm';
import type { UpstreamModel } from './upstream.js';

/** More names than that are not remembered of one upstream; OpenRouter has about 400. */
const MAX_MODELS = 2_000;
const MAX_NAME_CHARACTERS = 200;
const NAME = /^\S(?:[^\p{Cc}\p{Cs}]*\S)?$/u;

/**
 * What servers call the tokens that a model reads: vLLM and SGLang, OpenRouter and Together, Groq, LM Studio (as loaded, then at most), Mistral,
 * Anthropic, and Gemini's own list. The first that is there counts.
 */
const WINDOW_FIELDS = [
  ...['max_model_len', 'context_length', 'context_window', 'loaded_context_length', 'max_context_length'],
  ...['max_input_tokens', 'inputTokenLimit', 'context_size'],
];
const OUTPUT_FIELDS = ['max_output_tokens', 'max_completion_tokens', 'max_tokens', 'outputTokenLimit'];

/** The models in an answer to `GET /models`, which has one shape in both dialects. Throws `unavailable` for anything else. */
export function readModelList(text: string): readonly UpstreamModel[] {
  const models = new Map<string, UpstreamModel>();
  for (const entry of entriesOf(text)) {
    const fields = asObject(entry);
    const { id } = fields;
    if (!isName(id) || models.has(id)) continue;
    if (models.size >= MAX_MODELS) break;
    const { meta, top_provider: top, display_name: displayName } = fields;
    const windowOf = readCount(fields, WINDOW_FIELDS) ?? readCount(asObject(meta), ['n_ctx']); // llama.cpp
    const maxOutputTokens = readCount(fields, OUTPUT_FIELDS) ?? readCount(asObject(top), OUTPUT_FIELDS); // OpenRouter
    models.set(id, { id, displayName: isName(displayName) ? displayName : undefined, contextTokens: windowOf, maxOutputTokens });
  }
  return [...models.values()];
}

const isName = (value: unknown): value is string => typeof value === 'string' && value.length <= MAX_NAME_CHARACTERS && NAME.test(value);

const readCount = (fields: Readonly<Record<string, unknown>>, names: readonly string[]): number | undefined =>
  names.map((name) => fields[name]).find((value): value is number => Number.isSafeInteger(value) && Number(value) > 0);

function entriesOf(text: string): readonly unknown[] {
  try {
    const body: unknown = JSON.parse(text);
    if (typeof body === 'object' && body !== null && 'data' in body && Array.isArray(body.data)) return body.data as unknown[];
  } catch {
    // no cause: its message quotes what the provider sent (L1)
  }
  throw new LlmError('unavailable', 'The model provider answered with something that is no list of models.', { retryable: false });
}
