/** Tokens of a stream, by the word that stands in the name of the model. */
export const STREAM_TOKENS = { short: 20, long: 4_000 } as const;
export type StreamLength = keyof typeof STREAM_TOKENS;

/** The text of the `n`th token. */
const word = (n: number): string => `word${String(n % 1_000).padStart(3, '0')} `;

/** The text of a whole answer. */
export const answerText = (tokens: number): string => Array.from({ length: tokens }, (_, n) => word(n)).join('');

const MODEL = 'canned';
const USAGE = { prompt_tokens: 500, completion_tokens: 20, total_tokens: 520, prompt_tokens_details: { cached_tokens: 100 } };
const head = { id: 'chatcmpl-canned', created: 1_764_000_000, model: MODEL, system_fingerprint: 'fp_canned' };

const data = (value: object): string => `data: ${JSON.stringify(value)}\n\n`;
const chunk = (delta: object, finish: string | null = null): string =>
  data({ ...head, object: 'chat.completion.chunk', choices: [{ index: 0, delta, logprobs: null, finish_reason: finish }], usage: null });

/** A chat completion, as OpenAI answers. */
export const chatAnswer = JSON.stringify({
  ...head,
  object: 'chat.completion',
  choices: [
    {
      index: 0,
      message: { role: 'assistant', content: answerText(STREAM_TOKENS.short), refusal: null, annotations: [] },
      logprobs: null,
      finish_reason: 'stop',
    },
  ],
  usage: USAGE,
});

/** The same as server-sent events, one for each token. */
export const chatStream = (tokens: number): readonly string[] => [
  chunk({ role: 'assistant', content: '', refusal: null }),
  ...Array.from({ length: tokens }, (_, n) => chunk({ content: word(n) })),
  chunk({}, 'stop'),
  data({ ...head, object: 'chat.completion.chunk', choices: [], usage: { ...USAGE, completion_tokens: tokens } }),
  'data: [DONE]\n\n',
];

const message = { id: 'msg_canned', type: 'message', role: 'assistant', model: MODEL, stop_sequence: null };
const usage = {
  input_tokens: 400,
  cache_creation_input_tokens: 0,
  cache_read_input_tokens: 100,
  output_tokens: 20,
  service_tier: 'standard',
};
const event = (type: string, value: object): string => `event: ${type}\n${data({ type, ...value })}`;

/** A message, as Anthropic answers. */
export const messagesAnswer = JSON.stringify({
  ...message,
  content: [{ type: 'text', text: answerText(STREAM_TOKENS.short) }],
  ...{ stop_reason: 'end_turn', usage },
});

export const messagesStream = (tokens: number): readonly string[] => [
  event('message_start', { message: { ...message, content: [], stop_reason: null, usage: { ...usage, output_tokens: 1 } } }),
  event('content_block_start', { index: 0, content_block: { type: 'text', text: '' } }),
  ...Array.from({ length: tokens }, (_, n) => event('content_block_delta', { index: 0, delta: { type: 'text_delta', text: word(n) } })),
  event('content_block_stop', { index: 0 }),
  event('message_delta', { delta: { stop_reason: 'end_turn', stop_sequence: null }, usage: { output_tokens: tokens } }),
  event('message_stop', {}),
];
