import { createAnthropic } from '@ai-sdk/anthropic';
import { createOpenAI } from '@ai-sdk/openai';
import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import { generateText, jsonSchema, stepCountIs, streamText, tool } from 'ai';
import { apiKey, baseURL, describe, description, QUESTION, run, runScenarios, schema, SYSTEM, TOOLS } from './rounds.mjs';

const openai = createOpenAI({ baseURL, apiKey });
const compatible = createOpenAICompatible({ name: 'codelab', baseURL, apiKey, includeUsage: true });
const anthropic = createAnthropic({ baseURL, apiKey });

const tools = Object.fromEntries(
  TOOLS.map((name) => [name, tool({ description: description[name], inputSchema: jsonSchema(schema[name]), execute: run[name] })]),
);
const ask = (model, more = {}) => ({
  model,
  instructions: SYSTEM,
  prompt: QUESTION,
  tools,
  stopWhen: stepCountIs(5),
  maxRetries: 0,
  ...more,
});

const generate = async (model, more) => {
  const { text, steps, totalUsage } = await generateText(ask(model, more));
  return { text, steps: steps.length, usage: totalUsage };
};

const stream = async (model, more) => {
  const errors = [];
  const result = streamText(ask(model, { ...more, onError: ({ error }) => void errors.push(describe(error)) }));
  let pieces = 0;
  for await (const piece of result.textStream) if (piece !== '') pieces += 1;
  if (errors.length > 0) return { errors };
  const steps = await result.steps;
  return { text: await result.text, pieces, steps: steps.length, usage: await result.totalUsage };
};

await runScenarios('ai', {
  responses: (model) => generate(openai(model)),
  'responses-stream': (model) => stream(openai(model)),
  'responses-thinking': (model) =>
    stream(openai(model), { providerOptions: { openai: { store: false, reasoningEffort: 'low', forceReasoning: true } } }),
  chat: (model) => generate(compatible(model)),
  'chat-stream': (model) => stream(compatible(model)),
  messages: (model) => generate(anthropic(model)),
  'messages-stream': (model) => stream(anthropic(model)),
  'breaks-responses': (model) => stream(openai(model)),
  'breaks-chat': (model) => stream(compatible(model)),
  'breaks-messages': (model) => stream(anthropic(model)),
});
