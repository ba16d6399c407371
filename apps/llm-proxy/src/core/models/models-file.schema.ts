import { baseUrl, byName, flag, milliseconds, object, text, texts, variable } from '@codelab/config-file';
import { VOCABULARY_NAMES } from '@codelab/tools';
import { SERVER_TYPE_NAMES } from '../upstreams/upstream-types.js';

/** The JSON Schema of `codelab.models.yaml`: shapes and ranges. What names refer to is checked in `check-references.ts`. */

const dollars = { type: 'number', minimum: 0 } as const;
const count = { type: 'integer', minimum: 1, maximum: 1_000_000_000 } as const;

const quirks = object({
  max_tool_name: { type: 'integer', minimum: 16, maximum: 1_000 },
  tool_call_ids: { enum: ['any', 'alphanumeric9'] },
  reasoning_content: flag,
  no_tool_choice: flag,
  no_parallel_tool_calls: flag,
  no_stream_options: flag,
  no_image_urls: flag,
  content_text: flag,
  max_tokens_field: { enum: ['max_tokens', 'max_completion_tokens'] },
  responses: flag,
});

const upstream = object(
  {
    type: { enum: SERVER_TYPE_NAMES },
    base_url: baseUrl,
    api_key_env: variable,
    timeouts: object({ connect_ms: milliseconds, first_token_ms: milliseconds, idle_ms: milliseconds, total_ms: milliseconds }),
    quirks,
  },
  ['type'],
);

const model = object(
  {
    upstream: text,
    model: text,
    context_window: count,
    context_tokens: count,
    max_output_tokens: count,
    vocabulary: { enum: ['auto', ...VOCABULARY_NAMES] },
    display_name: text,
    price: object({ input: dollars, output: dollars, cached_input: dollars, cache_write: dollars, embedding: dollars }, [
      'input',
      'output',
    ]),
    thinking: object({
      effort: { enum: ['low', 'medium', 'high'] },
      budget_tokens: { type: 'integer', minimum: 1_024, maximum: 1_000_000 },
    }),
    quirks,
  },
  ['upstream'],
);

const route = object(
  {
    models: {
      type: 'array',
      minItems: 1,
      items: object({ model: text, weight: { type: 'number', minimum: 0, maximum: 1_000_000 } }, ['model']),
    },
    fallback: texts,
  },
  ['models'],
);

const key = object({
  models: texts,
  requests_per_minute: count,
  tokens_per_minute: count,
  budget: object({ usd: { type: 'number', minimum: 0 }, per: { enum: ['day', 'month', 'total'] } }, ['usd', 'per']),
  tools: object({ allow: texts, block: texts }),
});

export const MODELS_FILE_SCHEMA = object({
  upstreams: byName(upstream, '^[a-z0-9][a-z0-9_-]{0,63}$'),
  models: byName(model),
  aliases: byName(text),
  routes: byName(route),
  keys: byName(key, '^(?:\\*|[^/]+/.+)$'),
});
