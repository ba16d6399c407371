import { describe, expect, test } from 'vitest';
import { verifies } from '@codelab/testkit';
import { expectLoop } from './expect-loop.js';
import { runProgram, type ThrownError } from './run-program.js';
import { FINAL, PREAMBLE, THOUGHT, thoughtsOf } from './scripted-rounds.js';
import { usePrograms } from './use-programs.js';

const FAMILIES = ['gpt', 'claude'] as const;
const HALF = /^Half of/;
const BROKEN = /broke|interrupted/;

const clients = usePrograms((env) => [
  runProgram('openai', [], env),
  runProgram('anthropic', ['anthropic-sdk-0', 'anthropic0'], env).then(async (first) => ({
    ...first,
    ...(await runProgram('anthropic', ['@anthropic-ai/sdk', 'anthropic1'], env)),
  })),
]);
const valueOf = <T>(model: string): T => clients.valueOf<T>(model);

interface Said {
  readonly text: string;
  readonly usage?: Readonly<Record<string, unknown>>;
  readonly stop?: string;
  readonly status?: string;
}

describe.each(FAMILIES)('before %s', (family) => {
  test.each(['runtools', 'runtools-stream', 'responses', 'responses-stream', 'responses-thinking'])(
    verifies('L3:client-openai', "the openai SDK's %s loops through parallel calls to the end"),
    (scenario) => {
      const model = `${family}-openai-${scenario}`;
      const { text, usage, status } = valueOf<Said>(model);
      expect(text).toBe(FINAL);
      if (scenario.startsWith('responses')) expect(status).toBe('completed');
      expect(usage).toMatchObject(
        scenario.startsWith('responses')
          ? { input_tokens: 100, input_tokens_details: { cached_tokens: 40 }, output_tokens: 20, total_tokens: 120 }
          : { prompt_tokens: 300, prompt_tokens_details: { cached_tokens: 120 }, completion_tokens: 60 },
      );
      expectLoop(clients.proxy, model);
    },
  );

  test(verifies('L3:client-openai', "the openai SDK's streaming helper reads text and calls as they come"), () => {
    expect(valueOf(`${family}-openai-stream`)).toEqual({
      ...{ text: PREAMBLE, pieces: 3, finish: 'tool_calls' },
      calls: [
        { name: 'add', arguments: '{"a": 2, "b": 3}' },
        { name: 'weather', arguments: '{"city": "서울"}' },
      ],
    });
  });

  test.each(['anthropic0', 'anthropic1'])(
    verifies('L3:client-anthropic', "%s: Anthropic's MessageStream, with and without thinking, and its tool runner loop to the end"),
    (sdk) => {
      for (const scenario of ['stream', 'thinking', 'runner', 'runner-stream']) {
        const model = `${family}-${sdk}-${scenario}`;
        expect(valueOf<Said>(model)).toMatchObject({ text: FINAL, stop: 'end_turn' });
        expectLoop(clients.proxy, model);
      }
      const { usage } = valueOf<Said>(`${family}-${sdk}-stream`);
      expect(usage).toMatchObject({ input_tokens: 60, cache_read_input_tokens: 40, output_tokens: 20 });
      expect(valueOf(`${family}-${sdk}-create`)).toEqual({
        text: PREAMBLE,
        calls: [
          { name: 'add', input: { a: 2, b: 3 } },
          { name: 'weather', input: { city: '서울' } },
        ],
      });
      const count = valueOf<number>(`${family}-${sdk}-count`);
      if (family === 'claude') expect(count).toBe(100);
      else expect(count).toBeGreaterThan(10);
    },
  );

  test(verifies('L3:client-errors', 'errors reach the SDKs typed: no key, no such model, a bad field, a refusal, an empty account'), () => {
    const openai = (scenario: string) => valueOf<ThrownError>(`${family}-openai-${scenario}`);
    expect(openai('bad-key')).toMatchObject({ name: 'AuthenticationError', status: 401, code: 'invalid_api_key' });
    expect(openai('unknown')).toMatchObject({
      name: 'NotFoundError',
      code: 'model_not_found',
      message: expect.stringContaining('no model oflline'),
    });
    expect(openai('bad-choice')).toMatchObject({ name: 'BadRequestError', param: 'tool_choice' });
    expect(openai('bad-path')).toMatchObject({ name: 'BadRequestError', param: 'previous_response_id' });
    expect(openai('refused')).toMatchObject({ name: 'BadRequestError', message: expect.stringContaining('temperature does not go') });
    expect(openai('penniless')).toMatchObject({ name: 'RateLimitError', code: 'insufficient_quota' });
    for (const sdk of ['anthropic0', 'anthropic1']) {
      const anthropic = (scenario: string) => valueOf<ThrownError>(`${family}-${sdk}-${scenario}`);
      expect(anthropic('bad-key')).toMatchObject({ name: 'AuthenticationError', type: 'authentication_error' });
      expect(anthropic('unknown')).toMatchObject({ name: 'NotFoundError', message: expect.stringContaining('no model oflline') });
      expect(anthropic('bad-choice')).toMatchObject({ name: 'BadRequestError', message: expect.stringContaining('tool_choice') });
      expect(anthropic('refused')).toMatchObject({ name: 'BadRequestError', message: expect.stringContaining('temperature does not go') });
      expect(anthropic('penniless')).toMatchObject({ status: 402, type: 'billing_error' });
    }
  });

  test(verifies('L3:client-broken-stream', 'an answer that breaks off is a typed error to each SDK, behind the text that came'), () => {
    for (const model of [`${family}-openai-breaks`, `${family}-anthropic0-breaks`, `${family}-anthropic1-breaks`]) {
      const { text, error } = valueOf<{ text: string; error: ThrownError }>(model);
      expect(text).toMatch(HALF);
      expect(error).toMatchObject({ name: 'APIError', message: expect.stringMatching(BROKEN) });
    }
    expect(valueOf(`${family}-openai-breaks-responses`)).toMatchObject({ name: 'APIError', message: expect.stringMatching(BROKEN) });
  });

  test.each(['openai', 'anthropic0', 'anthropic1'])(verifies('L3:client-models', '%s lists the models and finds one'), (sdk) => {
    const { ids, one, none } = valueOf<{ ids: string[]; one: string; none: ThrownError }>(`${family}-${sdk}-models`);
    expect(ids).toContain('offline');
    expect(one).toBe('offline');
    expect(none).toMatchObject({ name: 'NotFoundError', status: 404 });
  });
});

test(
  verifies('L3:client-thoughts', 'a signed thought goes back to its provider, over messages and over responses with store: false'),
  () => {
    const thought = { type: 'thinking', thinking: THOUGHT.text, signature: THOUGHT.signature };
    for (const model of ['claude-anthropic0-thinking', 'claude-anthropic1-thinking', 'claude-openai-responses-thinking']) {
      expect({ model, thoughts: clients.proxy.asked(model).map(thoughtsOf) }).toEqual({ model, thoughts: [[], [thought], [thought]] });
    }
  },
);

test(verifies('L1:client-keys', "the caller's token stays here, and each upstream gets its own key"), () => {
  for (const { path, headers } of clients.proxy.requests) {
    expect(JSON.stringify(headers)).not.toContain(clients.proxy.token);
    const isChat = path.endsWith('/chat/completions');
    expect(isChat ? headers.authorization : headers['x-api-key']).toBe(isChat ? 'Bearer key-for-openai' : 'key-for-anthropic');
  }
});
