import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** Calls of one turn before its final answer. */
const STEPS_OF_A_TURN = Number(process.env['BENCH_STEPS'] ?? '40');

/** What came before the conversation in the first request with tools: model, system messages, tools. */
let prefix: string | undefined;

interface ChatBody {
  readonly messages: readonly { readonly role: string }[];
  readonly tools?: readonly unknown[];
}

const keepPrefix = ({ messages, ...rest }: ChatBody): void => {
  if ((rest.tools ?? []).length > 0) prefix ??= JSON.stringify({ ...rest, messages: messages.filter(({ role }) => role === 'system') });
};

/**
 * A language model for measuring: answers at once, one chunk, a new tool call each time, and a final text after a turn's worth of
 * results. Both sides ask it over the same HTTP. `GET` gives the prefix of the first request with tools, for the baseline to send.
 */
const server = createServer((request, response) => {
  let body = '';
  request.setEncoding('utf8').on('data', (text: string) => (body += text));
  request.on('end', () => {
    if (request.method === 'GET') {
      response.writeHead(prefix === undefined ? 404 : 200).end(prefix);
      return;
    }
    const asked = JSON.parse(body) as ChatBody;
    keepPrefix(asked);
    const lastMessage = asked.messages.findLastIndex(({ role }) => role === 'user');
    const results = asked.messages.slice(lastMessage).filter(({ role }) => role === 'tool').length;
    const last = results >= STEPS_OF_A_TURN;
    const call = {
      index: 0,
      id: `call_${String(results)}`,
      type: 'function',
      function: { name: 'read_file', arguments: `{"path":"src/file-${String(results)}.txt"}` },
    };
    const delta = last ? { role: 'assistant', content: 'done' } : { role: 'assistant', content: null, tool_calls: [call] };
    const chunk = (part: object, finish: string | null): string =>
      `data: ${JSON.stringify({ id: 'c', object: 'chat.completion.chunk', model: 'bench', choices: [{ index: 0, delta: part, finish_reason: finish }] })}\n\n`;
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.end(`${chunk(delta, null)}${chunk({}, last ? 'stop' : 'tool_calls')}data: [DONE]\n\n`);
  });
});
server.listen(0, '127.0.0.1', () => {
  process.send?.({ type: 'ready', port: (server.address() as AddressInfo).port });
  process.on('disconnect', () => process.exit(0));
});
