import { ChatAnthropic } from '@langchain/anthropic';
import { ChatOpenAI } from '@langchain/openai';
import { createAgent, tool } from 'langchain';
import { z } from 'zod';
import { apiKey, baseURL, description, origin, QUESTION, run, runScenarios, schema, SYSTEM } from './rounds.mjs';

const tools = ['add', 'weather'].map((name) => tool(run[name], { name, description: description[name], schema: schema[name] }));
const question = { messages: [{ role: 'user', content: QUESTION }] };

const openai = (model, more = {}) => new ChatOpenAI({ model, apiKey, configuration: { baseURL }, maxRetries: 0, ...more });
const anthropic = (model) => new ChatAnthropic({ model, apiKey, anthropicApiUrl: origin, maxRetries: 0, maxTokens: 1000 });

const invoke = async (llm) => {
  const { messages } = await createAgent({ model: llm, tools, systemPrompt: SYSTEM }).invoke(question);
  return { text: messages.at(-1).text, usage: messages.at(-1).usage_metadata };
};

/** Token by token, as a user interface does. */
const stream = async (llm) => {
  let text = '';
  let pieces = 0;
  const agent = createAgent({ model: llm, tools, systemPrompt: SYSTEM });
  for await (const [message, { langgraph_node: node }] of await agent.stream(question, { streamMode: 'messages' })) {
    if (node === 'tools' || message.text === '') continue;
    text += message.text;
    pieces += 1;
  }
  return { text, pieces };
};

await runScenarios('langchain', {
  openai: (model) => invoke(openai(model)),
  'openai-stream': (model) => stream(openai(model)),
  responses: (model) => invoke(openai(model, { useResponsesApi: true })),
  anthropic: (model) => invoke(anthropic(model)),
  'anthropic-stream': (model) => stream(anthropic(model)),
  structured: async (model) => {
    const shape = z.object({ a: z.number(), b: z.number() });
    return openai(model).withStructuredOutput(shape, { name: 'add', method: 'functionCalling' }).invoke(QUESTION);
  },
});
