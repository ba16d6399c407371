import { expect, test } from 'vitest';
import { verifies } from '@codelab/testkit';
import { chat } from '../dialects/chat/index.js';
import { messages } from '../dialects/messages/index.js';
import { readOverflow, saysTooLong } from './overflow.js';

type Case = readonly [
  server: string,
  dialect: 'chat' | 'messages',
  status: number,
  body: unknown,
  window: number | undefined,
  used: number | undefined,
];

const openAi = (message: string, code: string | null = null, type = 'invalid_request_error') => ({
  error: { message, type, param: 'messages', code },
});
const anthropic = (message: string) => ({ type: 'error', error: { type: 'invalid_request_error', message } });

const CASES: readonly Case[] = [
  [
    'OpenAI',
    'chat',
    400,
    openAi(
      "This model's maximum context length is 128000 tokens. However, your messages resulted in 130012 tokens. Please reduce the length of the messages.",
      'context_length_exceeded',
    ),
    128_000,
    130_012,
  ],
  [
    'OpenAI (Responses)',
    'chat',
    400,
    openAi('Your input exceeds the context window of this model. Please adjust your input and try again.', 'context_length_exceeded'),
    undefined,
    undefined,
  ],
  [
    'OpenAI (configured)',
    'chat',
    400,
    openAi(
      'Input tokens exceed the configured limit of 272000 tokens. Your messages resulted in 280123 tokens. Please reduce the length of the messages.',
    ),
    272_000,
    280_123,
  ],
  ['Anthropic', 'messages', 400, anthropic('prompt is too long: 210041 tokens > 200000 maximum'), 200_000, 210_041],
  [
    'Anthropic with its answer',
    'messages',
    400,
    anthropic(
      'input length and `max_tokens` exceed context limit: 190000 + 20000 > 200000, decrease input length or `max_tokens` and try again',
    ),
    200_000,
    190_000,
  ],
  [
    'vLLM',
    'chat',
    400,
    {
      object: 'error',
      message:
        "This model's maximum context length is 4096 tokens. However, you requested 5012 tokens (4500 in the messages, 512 in the completion). Please reduce the length of the messages or completion.",
      type: 'BadRequestError',
      code: 400,
    },
    4_096,
    4_500,
  ],
  [
    'vLLM, newer',
    'chat',
    400,
    openAi(
      "'max_tokens' or 'max_completion_tokens' is too large: 2000. This model's maximum context length is 4096 tokens and your request has 3500 input tokens (2000 > 4096 - 3500).",
      null,
      'BadRequestError',
    ),
    4_096,
    3_500,
  ],
  [
    'vLLM, the prompt',
    'chat',
    400,
    openAi(
      'The decoder prompt (length 5000) is longer than the maximum model length of 4096. Make sure that `max_model_len` is no smaller than the number of text tokens.',
      null,
      'BadRequestError',
    ),
    4_096,
    5_000,
  ],
  [
    'llama.cpp',
    'chat',
    400,
    {
      error: {
        code: 400,
        message: 'request (5120 tokens) exceeds the available context size (4096 tokens), try increasing it',
        type: 'exceed_context_size_error',
        n_prompt_tokens: 5_120,
        n_ctx: 4_096,
      },
    },
    4_096,
    5_120,
  ],
  [
    'llama.cpp, older',
    'chat',
    400,
    {
      error: {
        code: 400,
        message: 'the request exceeds the available context size. try increasing the context size or enable context shift',
        type: 'invalid_request_error',
      },
    },
    undefined,
    undefined,
  ],
  [
    'Ollama',
    'chat',
    400,
    { error: { message: 'the input length exceeds the context length', type: 'api_error', param: null, code: null } },
    undefined,
    undefined,
  ],
  [
    'Gemini',
    'chat',
    400,
    [
      {
        error: {
          code: 400,
          message: 'The input token count (1200000) exceeds the maximum number of tokens allowed (1048576).',
          status: 'INVALID_ARGUMENT',
        },
      },
    ],
    1_048_576,
    1_200_000,
  ],
  [
    'LM Studio',
    'chat',
    400,
    {
      error:
        'Trying to keep the first 5041 tokens when context the overflows. However, the model is loaded with context length of only 4096 tokens, which is not enough.',
    },
    4_096,
    undefined,
  ],
  [
    'Mistral',
    'chat',
    400,
    {
      object: 'error',
      message: 'Prompt contains 40000 tokens and 0 draft tokens, too large for model with 32768 maximum context length',
      type: 'invalid_request_prompt',
      code: '3051',
    },
    32_768,
    40_000,
  ],
  [
    'xAI',
    'chat',
    400,
    {
      code: 'Client specified an invalid argument',
      error: "This model's maximum prompt length is 131072 but the request contains 537812 tokens.",
    },
    131_072,
    537_812,
  ],
  ['Groq', 'chat', 400, openAi('Please reduce the length of the messages or completion.', 'context_length_exceeded'), undefined, undefined],
  [
    'OpenRouter',
    'chat',
    400,
    {
      error: {
        code: 400,
        message:
          "This endpoint's maximum context length is 131,072 tokens. However, you requested about 200,000 tokens (190,000 of text input, 10,000 in the output).",
      },
    },
    131_072,
    200_000,
  ],
  [
    'TGI',
    'chat',
    422,
    {
      error:
        'Input validation error: `inputs` tokens + `max_new_tokens` must be <= 8193. Given: 9000 `inputs` tokens and 100 `max_new_tokens`',
      error_type: 'validation',
    },
    8_193,
    9_000,
  ],
  ['Bedrock', 'messages', 400, anthropic('Input is too long for requested model.'), undefined, undefined],
];

test.each(CASES)(
  verifies('R3:overflow', '%s (%s, HTTP %i) says that the conversation is too long, and how much it reads'),
  (_server, dialect, status, body, window, used) => {
    const decode = dialect === 'chat' ? chat.upstream.decodeError : messages.upstream.decodeError;
    const error = decode({ status, body: JSON.stringify(body), request: '' });
    expect(error).toMatchObject({ code: 'context_length', retryable: false });
    expect(error.overflow ?? {}).toEqual({ window, used });
  },
);

test.each(['You exceeded your current quota', 'max_tokens is too large: 100000', 'Invalid value: "developer"', 'Unknown tool: context7'])(
  '%j is none',
  (message) => {
    expect(saysTooLong(message)).toBe(false);
  },
);

test('a wording of any length is looked at in no time', () => {
  const startedMs = performance.now();
  for (const piece of ['context limit: 1 + ', 'maximum context length is ', '1,', '(((', 'tokens > ']) {
    saysTooLong(piece.repeat(200_000));
    readOverflow(piece.repeat(200_000));
  }
  expect(performance.now() - startedMs).toBeLessThan(500);
});
