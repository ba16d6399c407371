import { afterAll, beforeAll, expect, test } from 'vitest';
import { verifies, type RecordedRequest } from '@codelab/testkit';
import { runProgram, type Outcome, type ThrownError } from './run-program.js';
import { startProxy, type TestProxy } from './start-proxy.js';

interface Embedded {
  readonly vectors: readonly (readonly [index: number, vector: readonly number[]])[];
  readonly usage: object;
  readonly answered: string;
}

/** The upstream's vector of the n-th input: exact in 32 bits. */
const vectorOf = (n: number): readonly number[] => [n + 0.5, -0.25];

/** An upstream with embeddings, as OpenAI's answers. */
function embed({ body }: RecordedRequest) {
  const {
    model,
    input,
    encoding_format: encoding,
  } = body as unknown as { model: string; input: string | unknown[]; encoding_format?: string };
  const count = Array.isArray(input) ? input.length : 1;
  const data = Array.from({ length: count }, (_, index) => {
    const vector = vectorOf(index);
    const embedding = encoding === 'base64' ? Buffer.from(Float32Array.from(vector).buffer).toString('base64') : vector;
    return { object: 'embedding', index, embedding };
  });
  return { body: { object: 'list', data, model, usage: { prompt_tokens: count, total_tokens: count } } };
}

let proxy: TestProxy;
let outcomes: Readonly<Record<string, Outcome<unknown>>>;
beforeAll(async () => {
  proxy = await startProxy(embed);
  outcomes = await runProgram('embeddings', [], proxy.env);
});
afterAll(() => proxy.stop());

function valueOf<T>(scenario: string): T {
  const model = `gpt-embeddings-${scenario}`;
  expect({ model, error: outcomes[model]?.error }).toEqual({ model });
  return outcomes[model]?.value as T;
}

test.each(['sdk', 'float', 'tokens'])(
  verifies('L3:client-embeddings', 'the openai SDK and LangChain embed over /v1/embeddings: %s'),
  (scenario) => {
    expect(valueOf<Embedded>(scenario)).toEqual({
      vectors: [
        [0, vectorOf(0)],
        [1, vectorOf(1)],
      ],
      usage: { prompt_tokens: 2, total_tokens: 2 },
      answered: `gpt-embeddings-${scenario}`,
    });
    const [asked] = proxy.asked(`gpt-embeddings-${scenario}`);
    expect(asked!.path).toBe('/v1/embeddings');
    expect(asked!.body.encoding_format).toBe(scenario === 'float' ? 'float' : 'base64'); // what the SDK asks for by itself
    if (scenario === 'float') expect(asked!.body).toMatchObject({ dimensions: 2, user: 'ann' });
  },
);

test(verifies('L3:client-embeddings', 'LangChain embeds queries and documents in batches'), () => {
  expect(valueOf('langchain-query')).toEqual(vectorOf(0));
  expect(valueOf('langchain-documents')).toEqual([vectorOf(0), vectorOf(1), vectorOf(0)]);
  expect(proxy.asked('gpt-embeddings-langchain-documents')).toHaveLength(2);
});

test(verifies('L3:client-embeddings', 'the built-in embedding serves both clients'), () => {
  expect(valueOf('offline')).toMatchObject({ lengths: [256, 256], answered: 'offline' });
  expect(valueOf('langchain-offline')).toEqual([64, 64]);
});

test('a refusal is the error that the SDK has a type for', () => {
  expect(valueOf<ThrownError>('refused')).toMatchObject({
    name: 'BadRequestError',
    status: 400,
    param: 'input',
    type: 'invalid_request_error',
  });
});
