import { afterAll, beforeAll, expect, test } from 'vitest';
import { responses, type StreamPart } from '@codelab/llm';
import { verifies, type Reply, type Script } from '@codelab/testkit';
import { runProgram, type Outcome } from './run-program.js';
import { startProxy, type TestProxy } from './start-proxy.js';

const META = { id: 'resp_upstream', model: 'm', created: 1, includeUsage: true };
const PARTS: readonly StreamPart[] = [
  { kind: 'text_delta', text: 'Hi 🙂' },
  { kind: 'tool_call_start', index: 0, id: 'call_1', name: 'git_diff' },
  { kind: 'tool_call_delta', index: 0, arguments: '{"name": "git_diff"}' },
  { kind: 'tool_call_end', index: 0 },
  { kind: 'finish', reason: 'tool_calls', usage: { inputTokens: 3, outputTokens: 4 } },
];

/** Plays an upstream that has Responses itself. */
const playResponses: Script = ({ body }): Reply => {
  if (body.stream !== true) return { body: responses.encodeAnswer(PARTS, META) };
  const encoder = new responses.StreamEncoder(META);
  const chunks = [encoder.start(), ...PARTS.map((part) => encoder.push(part))];
  return { chunks: body.model.includes('cut') ? chunks.slice(0, 2) : chunks };
};

let proxy: TestProxy;
let outcomes: Record<string, Outcome<never>>;
beforeAll(async () => {
  proxy = await startProxy(playResponses, { openai: { type: 'openai', quirks: { responses: true } } });
  outcomes = await runProgram('relayed-responses', [], proxy.env);
});
afterAll(() => proxy.stop());

test.each(['stream', 'whole'])(
  verifies('L3:client-relayed-responses', 'before an upstream that has Responses the openai SDK reads its own answers: %s'),
  (scenario) => {
    const model = `gpt-relay-${scenario}`;
    const usage = expect.objectContaining({ input_tokens: 3, output_tokens: 4 }) as unknown;
    expect(outcomes[model]).toEqual({ value: { said: ['Hi 🙂', 'git.diff'], usage } });
    const [asked] = proxy.asked(model);
    expect(asked?.path).toBe('/v1/responses');
    expect(asked?.body).toMatchObject({
      tools: [{ name: 'git_diff' }],
      ...(scenario === 'stream' ? { metadata: { a: 'b' } } : { previous_response_id: 'resp_1' }),
    });
  },
);

test('a relayed answer that breaks off is an error of the SDK', () => {
  expect(outcomes['gpt-relay-cut']).toMatchObject({
    value: { name: 'APIError', message: expect.stringContaining('broke off') as unknown },
  });
});
