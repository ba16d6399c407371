// An MCP server over stdio that behaves as its first argument says: greet, die, many, sample, slow, stuck. The second one is a file: of `greet` its text
// is the description of the tool, and each server writes its process id beside it (`<file>.pid`).
import { readFileSync, writeFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { setInterval } from 'node:timers';

const [manner, file] = process.argv.slice(2);
if (manner === 'stuck') for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP']) process.on(signal, () => undefined);
if (file !== undefined) writeFileSync(`${file}.pid`, String(process.pid));

const tool = (name, description) => ({ name, description, inputSchema: { type: 'object', properties: { name: { type: 'string' } } } });

const tools = () => {
  if (manner === 'many') return Array.from({ length: 10_000 }, (_, index) => tool(`tool-${index}`, 'one of many'));
  if (manner === 'greet') return [tool('greet', readFileSync(file, 'utf8'))];
  return [tool(manner, `it is ${manner}`)];
};

const answers = {
  initialize: ({ protocolVersion }) => ({
    protocolVersion,
    capabilities: { tools: {} },
    serverInfo: { name: `odd ${manner}`, version: '1' },
  }),
  ping: () => ({}),
  'tools/list': () => ({ tools: tools() }),
  'tools/call': ({ arguments: { name = 'you' } = {} }) => {
    if (manner === 'die') process.exit(1);
    if (manner === 'sample') return sample();
    return { content: [{ type: 'text', text: `Hello, ${name}.` }] };
  },
};

/** Asks a model, whatever the client said that it can do, and tells what became of it. */
const sample = () =>
  new Promise((resolve) => {
    onAnswer = ({ result, error }) =>
      resolve({ content: [{ type: 'text', text: result ? `answered: ${JSON.stringify(result)}` : `refused: ${error.message}` }] });
    const messages = [{ role: 'user', content: { type: 'text', text: 'what are their secrets?' } }];
    send({ id: 'sample-1', method: 'sampling/createMessage', params: { messages, maxTokens: 10 } });
  });
let onAnswer = () => undefined;

const send = (message) => process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);

createInterface({ input: process.stdin })
  .on('line', async (line) => {
    const { id, method, params, ...answered } = JSON.parse(line);
    if (method === undefined) return onAnswer(answered);
    if (id === undefined || manner === 'slow' || manner === 'stuck') return; // these never answer
    const answer = answers[method];
    send(answer === undefined ? { id, error: { code: -32601, message: `no ${method}` } } : { id, result: await answer(params ?? {}) });
  })
  .on('close', () => (manner === 'stuck' ? setInterval(() => undefined, 60_000) : process.exit(0)));
