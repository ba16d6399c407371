import OpenAI from 'openai';
import { apiKey, baseURL, description, QUESTION, run, runScenarios, schema, SYSTEM, thrown, TOOLS } from './rounds.mjs';

const client = new OpenAI({ baseURL, apiKey, maxRetries: 0 });
const messages = [
  { role: 'system', content: SYSTEM },
  { role: 'user', content: QUESTION },
];
const declared = (name) => ({ name, description: description[name], parameters: schema[name] });
const runnable = TOOLS.map((name) => ({
  type: 'function',
  function: { ...declared(name), parse: JSON.parse, function: run[name] },
}));

/** The loop of `/v1/responses` by hand: what came is sent back whole, with the results behind it. */
async function loop(model, ask, more = {}) {
  const input = [{ role: 'user', content: QUESTION }];
  for (let round = 0; round < 5; round++) {
    const tools = TOOLS.map((name) => ({ type: 'function', strict: false, ...declared(name) }));
    const response = await ask({ model, instructions: SYSTEM, input, tools, ...more });
    input.push(...response.output);
    const calls = response.output.filter(({ type }) => type === 'function_call');
    if (calls.length === 0) return { text: response.output_text, status: response.status, usage: response.usage };
    for (const { call_id, name, arguments: text } of calls) {
      input.push({ type: 'function_call_output', call_id, output: run[name](JSON.parse(text)) });
    }
  }
  throw new Error('the loop did not end');
}

const finalOf = async (runner) => ({ text: await runner.finalContent(), usage: await runner.totalUsage() });

await runScenarios('openai', {
  runtools: (model) => finalOf(client.chat.completions.runTools({ model, messages, tools: runnable })),
  'runtools-stream': (model) =>
    finalOf(client.chat.completions.runTools({ model, messages, tools: runnable, stream: true, stream_options: { include_usage: true } })),
  stream: async (model) => {
    const stream = client.chat.completions.stream({
      model,
      messages,
      tools: TOOLS.map((name) => ({ type: 'function', function: declared(name) })),
    });
    const pieces = [];
    stream.on('content', (piece) => pieces.push(piece));
    const { choices } = await stream.finalChatCompletion();
    return {
      text: choices[0].message.content,
      pieces: pieces.length,
      finish: choices[0].finish_reason,
      calls: choices[0].message.tool_calls.map((call) => call.function),
    };
  },
  responses: (model) => loop(model, (body) => client.responses.create(body)),
  'responses-stream': (model) => loop(model, (body) => client.responses.stream(body).finalResponse()),
  'responses-thinking': (model) =>
    loop(model, (body) => client.responses.create(body), {
      store: false,
      include: ['reasoning.encrypted_content'],
      reasoning: { effort: 'low' },
    }),
  breaks: async (model) => {
    const pieces = [];
    const error = await thrown(async () => {
      for await (const chunk of await client.chat.completions.create({ model, messages, stream: true })) {
        pieces.push(chunk.choices[0]?.delta.content ?? '');
      }
    });
    return { text: pieces.join(''), error };
  },
  'breaks-responses': (model) => thrown(() => client.responses.stream({ model, input: QUESTION }).finalResponse()),
  refused: (model) => thrown(() => client.chat.completions.create({ model, messages })),
  penniless: (model) => thrown(() => client.chat.completions.create({ model, messages })),
  'bad-choice': (model) =>
    thrown(() =>
      client.chat.completions.create({
        model,
        messages,
        tools: runnable.slice(0, 0).concat([{ type: 'function', function: declared('add') }]),
        tool_choice: { type: 'function', function: { name: 'gone' } },
      }),
    ),
  'bad-key': (model) => thrown(() => client.withOptions({ apiKey: 'wrong' }).chat.completions.create({ model, messages })),
  'bad-path': (model) => thrown(() => client.responses.create({ model, input: 'hi', previous_response_id: 'resp_1' })),
  unknown: () => thrown(() => client.chat.completions.create({ model: 'oflline', messages })),
  models: async () => {
    const ids = [];
    for await (const { id } of client.models.list()) ids.push(id);
    return { ids, one: (await client.models.retrieve('offline')).id, none: await thrown(() => client.models.retrieve('oflline')) };
  },
});
