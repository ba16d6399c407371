import { afterEach, expect, test } from '@jest/globals';
import { startScriptedProvider, type Script, type ScriptedProvider } from './scripted-provider.js';

interface Chunk {
  readonly choices: { delta: { content?: string; tool_calls?: { function: { arguments: string } }[] }; finish_reason: string | null }[];
  readonly usage?: object;
}

let provider: ScriptedProvider;
afterEach(() => provider.close());

const start = async (script: Script) => (provider = await startScriptedProvider({ script }));

const post = (body: object, signal?: AbortSignal) =>
  fetch(`${provider.baseUrl}/chat/completions`, {
    method: 'POST',
    body: JSON.stringify(body),
    headers: { authorization: 'Bearer k' },
    signal,
  });

test('text, calls and usage go out as chat completion chunks, ended by [DONE]', async () => {
  await start(() => ({
    text: 'Hello, you',
    toolCalls: [{ id: 'a', name: 'read_file', arguments: '{"path":"x"}' }],
    usage: { prompt_tokens: 3, completion_tokens: 4 },
  }));
  const lines = (await (await post({ model: 'm', messages: [] })).text()).split('\n\n').filter(Boolean);
  expect(lines.pop()).toBe('data: [DONE]');
  const chunks = lines.map((line) => JSON.parse(line.slice('data: '.length)) as Chunk);
  expect(chunks.map(({ choices }) => choices[0]?.delta.content ?? '').join('')).toBe('Hello, you');
  expect(chunks.flatMap(({ choices }) => choices[0]?.delta.tool_calls ?? [])[1]?.function.arguments).toBe('{"path":"x"}');
  expect(chunks.map(({ choices }) => choices[0]?.finish_reason).filter(Boolean)).toEqual(['tool_calls']);
  expect(chunks.at(-1)).toMatchObject({ choices: [], usage: { prompt_tokens: 3 } });
});

test('each request is recorded with its number, headers and body', async () => {
  await start((_request, n) => ({ text: String(n) }));
  const first = provider.request(0);
  await (await post({ model: 'm', messages: [{ role: 'user', content: '안녕' }] })).text();
  await (await post({ model: 'm2', messages: [] })).text();
  expect((await first).body.messages).toEqual([{ role: 'user', content: '안녕' }]);
  expect((await first).headers.authorization).toBe('Bearer k');
  expect(provider.requests.map(({ n, body }) => [n, body.model])).toEqual([
    [0, 'm'],
    [1, 'm2'],
  ]);
  expect(await (await first).ended).toBe('answered');
});

test('a status with a body is an answer that is no stream', async () => {
  await start(() => ({ status: 429, headers: { 'retry-after': '1' }, body: { error: { code: 'rate_limit_exceeded' } } }));
  const response = await post({ model: 'm', messages: [] });
  expect([response.status, response.headers.get('retry-after')]).toEqual([429, '1']);
  expect(await response.json()).toEqual({ error: { code: 'rate_limit_exceeded' } });
});

test('a cut breaks the connection after so many chunks', async () => {
  await start(() => ({ text: 'never all of it', pieceCharacters: 1, cutAfterChunks: 3 }));
  const response = await post({ model: 'm', messages: [] });
  await expect(response.text()).rejects.toThrow('terminated');
  expect(await (await provider.request(0)).ended).toBe('cut');
});

test.each([0, 2])('a hang-up is noticed while the answer is held before chunk %i', async (holdAfterChunks) => {
  await start(() => ({ text: 'a long text in pieces', hold: new Promise(() => undefined), holdAfterChunks }));
  const abort = new AbortController();
  const response = post({ model: 'm', messages: [] }, abort.signal).then((answer) => answer.text());
  const request = await provider.request(0);
  abort.abort();
  await expect(response).rejects.toThrow('abort');
  expect(await request.ended).toBe('hung_up');
  expect(request.hungUpAtMs).toBeGreaterThan(0);
});

test('a released hold lets the answer go on', async () => {
  let resolve = () => {};
  const promise = new Promise<void>((done) => (resolve = done));
  await start(() => ({ chunks: ['data: 1\n\n', 'data: 2\n\n'], hold: promise, holdAfterChunks: 1 }));
  const response = await post({ model: 'm', messages: [] });
  resolve();
  expect(await response.text()).toBe('data: 1\n\ndata: 2\n\n');
});

test('close ends what is under way', async () => {
  await start(() => ({ text: 'x', hold: new Promise(() => undefined), holdAfterChunks: 1 }));
  const response = await post({ model: 'm', messages: [] });
  const text = expect(response.text()).rejects.toThrow();
  await provider.close();
  await text;
});
