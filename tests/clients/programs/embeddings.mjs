import { OpenAIEmbeddings } from '@langchain/openai';
import OpenAI from 'openai';
import { apiKey, baseURL, runScenarios, thrown } from './rounds.mjs';

const client = new OpenAI({ baseURL, apiKey, maxRetries: 0 });
const ask = async (model, more = {}) => {
  const { data, usage, model: answered } = await client.embeddings.create({ model, input: ['one', 'two'], ...more });
  return { vectors: data.map(({ index, embedding }) => [index, [...embedding]]), usage, answered };
};
const langchain = (model, more = {}) => new OpenAIEmbeddings({ model, apiKey, configuration: { baseURL }, maxRetries: 0, ...more });

/** The last of the name says what the upstream does: `packed` answers base64 though it wasn't asked. */
await runScenarios(
  'embeddings',
  {
    sdk: (model) => ask(model),
    float: (model) => ask(model, { encoding_format: 'float', dimensions: 2, user: 'ann' }),
    tokens: (model) => ask(model, { input: [[1, 2], [3]] }),
    refused: (model) => thrown(() => ask(model, { input: [] })),
    offline: async () => {
      const { vectors, usage, answered } = await ask('offline');
      return { lengths: vectors.map(([, vector]) => vector.length), usage, answered };
    },
    'langchain-query': (model) => langchain(model).embedQuery('one'),
    'langchain-documents': (model) => langchain(model, { batchSize: 2 }).embedDocuments(['one', 'two', 'three']),
    'langchain-offline': async () =>
      (await langchain('offline', { dimensions: 64 }).embedDocuments(['one', 'two'])).map(({ length }) => length),
  },
  ['gpt'],
);
