import { afterEach, expect, test } from 'vitest';
import { startScriptedProvider, type Script, type ScriptedProvider } from './scripted-provider.js';

interface Chunk {
  readonly choices: { delta: { content?: string; tool_calls?: { function: { arguments: string } }[] }; finish_reason: string | null }[];
  readonly usage?: object;
}

let provider: ScriptedProvider;
afterEach(() => provider.close());

const start = async (script: Script) => (provider = await startScriptedProvider({ script }));

const post = (body: object, signal?: AbortSignal) => postTo('/chat/completions', { stream: true, ...body }, signal);

const postTo = (path: string, body: object, signal?: AbortSignal) =>
  fetch(provider.baseUrl + path, {
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

const CALL = { id: 'a', name: 'count', arguments: '{ "n": 12345678901234567890 }' };
const USAGE = { prompt_tokens: 30, completion_tokens: 4, prompt_tokens_details: { cached_tokens: 10 } };

test('without stream: true the answer comes in one piece', async () => {
  await start(() => ({ text: 'Hi', toolCalls: [CALL], usage: USAGE }));
  const answer = await (await postTo('/chat/completions', { model: 'm', messages: [] })).json();
  expect(answer).toMatchObject({
    object: 'chat.completion',
    choices: [{ message: { content: 'Hi', tool_calls: [{ function: { arguments: CALL.arguments } }] }, finish_reason: 'tool_calls' }],
    usage: USAGE,
  });
});

test('the same reply at /messages is a stream of named events', async () => {
  await start(() => ({ thinking: 'hm', thinkingSignature: 'sig', text: 'Hello, you', toolCalls: [CALL], usage: USAGE }));
  const text = await (await postTo('/messages?beta=true', { model: 'm', messages: [], stream: true })).text();
  const events = text
    .split('\n\n')
    .filter(Boolean)
    .map((event) => /^event: (.+)\ndata: (.+)$/.exec(event)!);
  const data = events.map((event) => JSON.parse(event[2]!) as { type: string; index?: number; delta?: object });
  expect(data.map(({ type }) => type)).toEqual(events.map((event) => event[1]));
  expect(data[0]).toMatchObject({ message: { usage: { input_tokens: 20, cache_read_input_tokens: 10 } } });
  expect(data.filter(({ type }) => type === 'content_block_start').map(({ index }) => index)).toEqual([0, 1, 2]);
  expect(data.map(({ delta }) => delta)).toContainEqual({ type: 'input_json_delta', partial_json: CALL.arguments });
  expect(data.slice(-2)).toMatchObject([{ delta: { stop_reason: 'tool_use' }, usage: { output_tokens: 4 } }, { type: 'message_stop' }]);
  expect(provider.requests[0]?.path).toBe('/v1/messages?beta=true');
});

test('at /messages in one piece it keeps the input as it was written; count_tokens answers the tokens of the prompt', async () => {
  await start(() => ({ toolCalls: [CALL], usage: USAGE, finishReason: 'length' }));
  const text = await (await postTo('/messages', { model: 'm', messages: [] })).text();
  expect(text).toContain(`"input":${CALL.arguments}`);
  expect(JSON.parse(text)).toMatchObject({ type: 'message', stop_reason: 'max_tokens' });
  expect(await (await postTo('/messages/count_tokens', { model: 'm', messages: [] })).json()).toEqual({ input_tokens: 30 });
});

test('/responses is served only by what a reply says itself; models are listed in the dialect of the request', async () => {
  await start((_request, n) => (n === 0 ? { text: 'no' } : { chunks: [{ type: 'response.created' }] }));
  expect((await postTo('/responses', {})).status).toBe(404);
  expect(await (await postTo('/responses', {})).text()).toBe('event: response.created\ndata: {"type":"response.created"}\n\n');
  const list = async (headers: Record<string, string>) => (await fetch(`${provider.origin}/v1/models`, { headers })).json();
  expect(await list({})).toMatchObject({ object: 'list', data: [{ object: 'model' }] });
  expect(await list({ 'anthropic-version': '2023-06-01' })).toMatchObject({ data: [{ type: 'model' }], has_more: false });
});
