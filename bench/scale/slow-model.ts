import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/**
 * A language model that takes its time, over real HTTP: after `SCALE_MODEL_MS` it calls `read_file`, and after `SCALE_MODEL_STEPS` results of
 * a turn it says a word. `POST /hold` lets everything wait, `POST /release` answers what waits, `GET /waiting` says how much.
 */
const latencyMs = Number(process.env['SCALE_MODEL_MS'] ?? '0');
const steps = Number(process.env['SCALE_MODEL_STEPS'] ?? '4');
const waiting = new Map<ServerResponse, () => void>();
let isHolding = false;
let asked = 0;

interface ChatBody {
  readonly messages: readonly { readonly role: string }[];
  readonly stream?: boolean;
}

const sayWords = (response: ServerResponse, { messages, stream }: ChatBody): void => {
  const last = messages.findLastIndex(({ role }) => role === 'user');
  const results = messages.slice(last).filter(({ role }) => role === 'tool').length;
  asked += 1;
  const isLast = results >= steps;
  const name = `file-${String(asked)}.txt`;
  const call = {
    index: 0,
    id: `call_${String(asked)}`,
    type: 'function',
    function: { name: 'read_file', arguments: `{"path":"${name}"}` },
  };
  const message = isLast ? { role: 'assistant', content: 'Done.' } : { role: 'assistant', content: null, tool_calls: [call] };
  const reason = isLast ? 'stop' : 'tool_calls';
  const common = { id: 'c', model: 'slow', usage: { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 } };
  if (stream !== true) {
    response.writeHead(200, { 'content-type': 'application/json' });
    response.end(JSON.stringify({ ...common, object: 'chat.completion', choices: [{ index: 0, message, finish_reason: reason }] }));
    return;
  }
  const chunk = (delta: object, finish_reason: string | null): string =>
    `data: ${JSON.stringify({ ...common, object: 'chat.completion.chunk', choices: [{ index: 0, delta, finish_reason }] })}\n\n`;
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  response.end(`${chunk(message, null)}${chunk({}, reason)}data: [DONE]\n\n`);
};

const server = createServer((request, response) => {
  if (request.url === '/waiting') return void response.end(String(waiting.size));
  if (request.url === '/hold') {
    isHolding = true;
    return void response.end();
  }
  if (request.url === '/release') {
    isHolding = false;
    for (const answer of waiting.values()) answer();
    return void response.end();
  }
  let body = '';
  request.setEncoding('utf8').on('data', (text: string) => (body += text));
  request.on('end', () => {
    if (request.method !== 'POST') return void response.end('{"object":"list","data":[]}');
    const answer = (): void => {
      if (waiting.delete(response) && !response.destroyed) sayWords(response, JSON.parse(body) as ChatBody);
    };
    waiting.set(response, answer);
    response.on('close', () => waiting.delete(response));
    if (!isHolding) setTimeout(answer, latencyMs);
  });
});
server.keepAliveTimeout = 60_000;
server.listen(0, '127.0.0.1', 16_384, () => {
  process.send?.({ type: 'ready', port: (server.address() as AddressInfo).port });
  process.on('disconnect', () => process.exit(0));
});
