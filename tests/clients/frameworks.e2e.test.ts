import { describe, expect, test } from 'vitest';
import { verifies } from '@codelab/testkit';
import { expectLoop } from './expect-loop.js';
import { runProgram, type ThrownError } from './run-program.js';
import { FINAL, PREAMBLE, THOUGHT, thoughtsOf } from './scripted-rounds.js';
import { usePrograms } from './use-programs.js';

const clients = usePrograms((env) => [runProgram('langchain', [], env), runProgram('ai-sdk', [], { ...env, NODE_NO_WARNINGS: '1' })]);
const valueOf = <T>(model: string): T => clients.valueOf<T>(model);

interface Said {
  readonly text: string;
  readonly pieces?: number;
  readonly steps?: number;
  readonly usage?: Readonly<Record<string, unknown>>;
}

describe.each(['gpt', 'claude'])('before %s', (family) => {
  test.each(['openai', 'openai-stream', 'responses', 'anthropic', 'anthropic-stream'])(
    verifies('L3:client-langchain', "LangChain's agent over %s loops through parallel calls to the end"),
    (scenario) => {
      const model = `${family}-langchain-${scenario}`;
      const { text, pieces, usage } = valueOf<Said>(model);
      if (scenario.endsWith('stream')) {
        expect(text).toBe(PREAMBLE + FINAL);
        expect(pieces).toBeGreaterThan(5);
      } else {
        expect(text).toBe(FINAL);
        expect(usage).toMatchObject({ input_tokens: 100, output_tokens: 20, input_token_details: { cache_read: 40 } });
      }
      expectLoop(clients.proxy, model);
    },
  );

  test(verifies('L3:client-langchain', "LangChain's structured output is a forced call"), () => {
    const model = `${family}-langchain-structured`;
    expect(valueOf(model)).toEqual({ a: 2, b: 3 });
    const forced = { gpt: { type: 'function', function: { name: 'add' } }, claude: { type: 'tool', name: 'add' } };
    expect(clients.proxy.asked(model)[0]?.body.tool_choice).toMatchObject(forced[family as keyof typeof forced]);
  });

  test.each(['responses', 'responses-stream', 'responses-thinking', 'chat', 'chat-stream', 'messages', 'messages-stream'])(
    verifies('L3:client-ai-sdk', 'the AI SDK over %s loops through parallel calls to the end'),
    (scenario) => {
      const model = `${family}-ai-${scenario}`;
      const { text, steps, usage } = valueOf<Said>(model);
      expect({ text, steps }).toEqual({ text: FINAL, steps: 3 });
      expect(usage).toMatchObject({ inputTokens: 300, outputTokens: 60, inputTokenDetails: { cacheReadTokens: 120 } });
      expectLoop(clients.proxy, model);
    },
  );

  test.each(['responses', 'chat', 'messages'])(
    verifies('L3:client-broken-stream', 'an answer that breaks off is one error of the AI SDK over %s'),
    (endpoint) => {
      const { errors } = valueOf<{ errors: ThrownError[] }>(`${family}-ai-breaks-${endpoint}`);
      expect(errors).toEqual([expect.objectContaining({ message: expect.stringMatching(/broke|interrupted/) })]);
    },
  );
});

test(verifies('L3:client-thoughts', "a signed thought goes back to its provider through the AI SDK's reasoning items"), () => {
  const thought = { type: 'thinking', thinking: THOUGHT.text, signature: THOUGHT.signature };
  expect(clients.proxy.asked('claude-ai-responses-thinking').map(thoughtsOf)).toEqual([[], [thought], [thought]]);
});
