import OpenAI from 'openai';
import { apiKey, baseURL, runScenarios, thrown } from './rounds.mjs';

const client = new OpenAI({ baseURL, apiKey, maxRetries: 0 });
const tools = [{ type: 'function', name: 'git.diff', strict: false, parameters: { type: 'object' } }];
const read = ({ output, usage }) => ({ said: output.map((item) => item.name ?? item.content[0].text), usage });

const scenarios = {
  stream: async (model) => read(await client.responses.stream({ model, input: 'hi', tools, metadata: { a: 'b' } }).finalResponse()),
  whole: async (model) => read(await client.responses.create({ model, input: 'more', tools, previous_response_id: 'resp_1' })),
  cut: (model) => thrown(() => client.responses.stream({ model, input: 'hi' }).finalResponse()),
};

await runScenarios('relay', scenarios, ['gpt']);
