import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A model whose answers wait until they are released: each is a call of `read_file`. */
export interface HeldModel {
  readonly url: string;
  /** Resolves when a request waits, with how to answer it. */
  asked(): Promise<() => void>;
  close(): void;
}

const event = (delta: object, finish: string | null): string =>
  `data: ${JSON.stringify({ id: 'c', object: 'chat.completion.chunk', model: 'bench', choices: [{ index: 0, delta, finish_reason: finish }] })}\n\n`;

export async function holdModel(): Promise<HeldModel> {
  const waiting: (() => void)[] = [];
  let heard: (() => void) | undefined;
  let answers = 0;
  const server = createServer((request, response) => {
    request.resume().on('end', () => {
      if (request.method !== 'POST') return void response.end('{"object":"list","data":[]}');
      waiting.push(() => {
        const name = `file-${String((answers += 1))}`;
        const call = { index: 0, id: name, type: 'function', function: { name: 'read_file', arguments: `{"path":"${name}.txt"}` } };
        response.writeHead(200, { 'content-type': 'text/event-stream' });
        response.end(`${event({ role: 'assistant', content: null, tool_calls: [call] }, null)}${event({}, 'tool_calls')}data: [DONE]\n\n`);
      });
      heard?.();
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${String((server.address() as AddressInfo).port)}/v1`,
    asked: async () => {
      while (waiting.length === 0) await new Promise<void>((resolve) => (heard = resolve));
      return waiting.shift()!;
    },
    close: () => server.close(),
  };
}
