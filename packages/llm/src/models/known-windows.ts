/** How much a model reads and writes, in tokens. */
export interface ModelWindow {
  /** Input and output of one request together. */
  readonly contextTokens: number;
  /** The largest answer, where its vendor names one. */
  readonly maxOutputTokens?: number;
}

/** Taken for a model that nothing is known of: what most of today's models read, and few servers give less. */
export const USUAL_CONTEXT_TOKENS = 128_000;

type Row = readonly [beginning: string, contextTokens: number, maxOutputTokens?: number];

/**
 * The windows of models by the beginnings of their names, as their vendors publish them; the longest beginning counts. Where servers give a family
 * different windows, the smaller one stands here: too small a window costs an early cut, too large a one an overflow.
 */
const FAMILIES: readonly Row[] = [
  // https://platform.openai.com/docs/models
  ['gpt-5', 400_000, 128_000],
  ['gpt-4.1', 1_047_576, 32_768],
  ['gpt-4o', 128_000, 16_384],
  ['chatgpt-4o', 128_000, 16_384],
  ['gpt-4-turbo', 128_000, 4_096],
  ['gpt-4', 8_192, 8_192],
  ['gpt-3.5', 16_385, 4_096],
  ['gpt-oss', 131_072],
  ['codex', 200_000, 100_000],
  ['o1', 200_000, 100_000],
  ['o1-mini', 128_000, 65_536],
  ['o3', 200_000, 100_000],
  ['o4', 200_000, 100_000],
  // https://docs.claude.com/en/docs/about-claude/models/overview
  ['claude-', 200_000, 64_000],
  ['claude-opus-4', 200_000, 32_000],
  ['claude-opus-4-5', 200_000, 64_000],
  ['claude-3-', 200_000, 4_096],
  ['claude-3-5', 200_000, 8_192],
  ['claude-3-7', 200_000, 64_000],
  // https://ai.google.dev/gemini-api/docs/models
  ['gemini-', 1_048_576, 65_536],
  ['gemini-1.5', 1_048_576, 8_192],
  ['gemini-2.0', 1_048_576, 8_192],
  ['gemma', 8_192],
  ['gemma-3', 131_072],
  ['gemma3', 131_072],
  // https://www.llama.com/docs/model-cards-and-prompt-formats
  ['llama-3', 131_072],
  ['llama3', 131_072],
  ['llama3:', 8_192],
  ['llama-4', 131_072],
  ['llama4', 131_072],
  ['codellama', 16_384],
  // https://huggingface.co/Qwen, the cards of the models
  ['qwen', 32_768],
  ['qwen3', 40_960],
  ['qwen3-coder', 262_144],
  ['qwq', 131_072],
  // https://api-docs.deepseek.com/quick_start/pricing
  ['deepseek', 128_000],
  // https://docs.mistral.ai/getting-started/models
  ['mistral', 32_768],
  ['mistral-large', 131_072],
  ['mistral-medium', 131_072],
  ['mistral-small', 131_072],
  ['ministral', 131_072],
  ['magistral', 40_960],
  ['devstral', 131_072],
  ['codestral', 256_000],
  ['mixtral', 32_768],
  // https://docs.x.ai/docs/models
  ['grok-3', 131_072],
  ['grok-4', 256_000],
  ['grok-code', 256_000],
  // https://platform.moonshot.ai/docs, https://docs.z.ai, https://platform.minimax.io/docs
  ['kimi-k2', 131_072],
  ['moonshot', 131_072],
  ['glm-4', 131_072],
  ['glm-4.6', 200_000],
  ['minimax-m', 200_000],
  // https://docs.cohere.com/docs/models
  ['command-r', 128_000, 4_096],
  ['command-a', 256_000, 8_192],
  // https://huggingface.co/microsoft
  ['phi-3', 131_072],
  ['phi-4', 16_384],
  // the built-in model reads its conversation by rules: any number would do
  ['offline', 1_000_000],
];

const BY_LENGTH = FAMILIES.toSorted(([a], [b]) => b.length - a.length);

/**
 * What is known of a model by its name alone, with whatever vendors stand before it (`openrouter/anthropic/claude-…`, `us.anthropic.claude-…`);
 * `undefined` for a name of no family.
 */
export function knownWindow(model: string): ModelWindow | undefined {
  const name = model.toLowerCase().slice(model.lastIndexOf('/') + 1);
  const bare = name.replace(/^(?:[a-z]+\.)+(?=[a-z])/, '');
  const row = BY_LENGTH.find(([beginning]) => name.startsWith(beginning) || bare.startsWith(beginning));
  return row && { contextTokens: row[1], maxOutputTokens: row[2] };
}
