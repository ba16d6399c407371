import { apiKey, description, origin, QUESTION, run, runScenarios, schema, SYSTEM, thrown, TOOLS } from './rounds.mjs';

const [, , packageName, prefix] = process.argv;
const { default: Anthropic } = await import(packageName);
const client = new Anthropic({ baseURL: origin, apiKey, maxRetries: 0 });
const messages = [{ role: 'user', content: QUESTION }];
const declared = (name) => ({ name, description: description[name], input_schema: schema[name] });
const tools = TOOLS.map(declared);
const runnable = TOOLS.map((name) => ({ type: 'custom', ...declared(name), run: run[name], parse: (input) => input }));
const body = (model, more = {}) => ({ model, max_tokens: 1000, system: SYSTEM, messages, ...more });
const textOf = (message) => message.content.flatMap((block) => (block.type === 'text' ? [block.text] : [])).join('');

/** The loop by hand: what came is sent back whole, with the results behind it. */
async function loop(model, more = {}) {
  const history = [...messages];
  for (let round = 0; round < 5; round++) {
    const inputs = [];
    const stream = client.messages.stream(body(model, { messages: history, tools, ...more }));
    stream.on('inputJson', (_piece, snapshot) => inputs.push(snapshot));
    const message = await stream.finalMessage();
    history.push({ role: 'assistant', content: message.content });
    const calls = message.content.filter(({ type }) => type === 'tool_use');
    if (calls.length === 0) return { text: textOf(message), stop: message.stop_reason, usage: message.usage };
    if (inputs.length === 0) throw new Error('no arguments were streamed');
    history.push({
      role: 'user',
      content: calls.map(({ id, name, input }) => ({ type: 'tool_result', tool_use_id: id, content: run[name](input) })),
    });
  }
  throw new Error('the loop did not end');
}

const runner = async (model, more) => {
  const message = await client.beta.messages.toolRunner(body(model, { tools: runnable, ...more }));
  return { text: textOf(message), stop: message.stop_reason };
};

await runScenarios(prefix, {
  stream: (model) => loop(model),
  thinking: (model) => loop(model, { max_tokens: 4000, thinking: { type: 'enabled', budget_tokens: 1024 } }),
  runner: (model) => runner(model),
  'runner-stream': async (model) => {
    let last;
    for await (const stream of client.beta.messages.toolRunner(body(model, { tools: runnable, stream: true })))
      last = await stream.finalMessage();
    return { text: textOf(last), stop: last.stop_reason };
  },
  create: async (model) => {
    const message = await client.messages.create(body(model, { tools }));
    return {
      text: textOf(message),
      calls: message.content.filter(({ type }) => type === 'tool_use').map(({ name, input }) => ({ name, input })),
    };
  },
  count: async (model) => (await client.messages.countTokens({ model, system: SYSTEM, messages, tools })).input_tokens,
  breaks: async (model) => {
    const stream = client.messages.stream(body(model));
    const pieces = [];
    stream.on('text', (piece) => pieces.push(piece));
    const error = await thrown(() => stream.finalMessage());
    return { text: pieces.join(''), error };
  },
  refused: (model) => thrown(() => client.messages.create(body(model))),
  penniless: (model) => thrown(() => client.messages.create(body(model))),
  'bad-choice': (model) => thrown(() => client.messages.create(body(model, { tools, tool_choice: { type: 'tool', name: 'gone' } }))),
  'bad-key': (model) => thrown(() => new Anthropic({ baseURL: origin, apiKey: 'wrong', maxRetries: 0 }).messages.create(body(model))),
  unknown: () => thrown(() => client.messages.create(body('oflline'))),
  models: async () => {
    const ids = [];
    for await (const { id } of client.models.list()) ids.push(id);
    return { ids, one: (await client.models.retrieve('offline')).id, none: await thrown(() => client.models.retrieve('oflline')) };
  },
});
