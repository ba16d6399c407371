import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { eventually, startScriptedProvider, verifies, type Script, type ScriptedProvider } from '@codelab/testkit';
import { openStage, type Stage } from '../__fixtures__/stage.js';
import { startProxy, TOKEN, type TestProxy } from '../__fixtures__/start-proxy.js';

const OPENAI_KEY = 'sk-openai-of-ours';
const ANTHROPIC_KEY = 'sk-anthropic-of-ours';
const ANTHROPIC = { headers: { 'anthropic-version': '2023-06-01' } };

let provider: ScriptedProvider;
let script: Script;
/** One upstream of each kind, from the environment. */
let proxy: TestProxy;
/** No upstream at all. */
let bare: TestProxy;
let stage: Stage;

beforeAll(async () => {
  provider = await startScriptedProvider({ script: (request, n) => script(request, n) });
  const upstreams = {
    openAiBaseUrl: provider.baseUrl,
    openAiApiKey: OPENAI_KEY,
    anthropicBaseUrl: provider.origin,
    anthropicApiKey: ANTHROPIC_KEY,
  };
  [proxy, bare, stage] = await Promise.all([startProxy({ ...upstreams, model: 'gpt-default' }), startProxy(), openStage(provider)]);
});
afterAll(async () => {
  await Promise.all([proxy.stop(), bare.stop(), stage.close()]);
  await provider.close();
});

const chat = (model?: string, more: object = {}) => ({
  model,
  messages: [{ role: 'user', content: 'go' }],
  ...more,
});
const messages = (model: string, more: object = {}) => ({ ...chat(model), max_tokens: 100, ...more });

describe('models', () => {
  test(verifies('L3:models', 'they are listed in the shape of either dialect, in pages where it has some'), async () => {
    const list = (await proxy.ask('/v1/models')).json<{ data: { id: string }[] }>();
    expect(list).toMatchObject({
      object: 'list',
      data: expect.arrayContaining([expect.objectContaining({ id: 'gpt-default', object: 'model' })]),
    });
    const page = (await proxy.ask('/v1/models?limit=1', undefined, ANTHROPIC)).json();
    const [first, second] = list.data;
    expect(page).toMatchObject({ data: [{ type: 'model', id: first!.id }], has_more: true, first_id: first!.id, last_id: first!.id });
    const next = (await proxy.ask(`/v1/models?limit=1&after_id=${first!.id}`, undefined, ANTHROPIC)).json();
    expect(next).toMatchObject({ data: [{ id: second!.id }], has_more: list.data.length > 2 });
    const back = (await proxy.ask(`/v1/models?before_id=${second!.id}`, undefined, ANTHROPIC)).json();
    expect(back).toMatchObject({ data: [{ id: first!.id }], has_more: false });
    expect((await proxy.ask('/v1/models?limit=0', undefined, ANTHROPIC)).status).toBe(400);
  });

  test(verifies('L3:models', 'one is found by a name with slashes, also where it is not listed'), async () => {
    expect((await proxy.ask('/v1/models/openai/gpt-x')).json()).toMatchObject({ id: 'openai/gpt-x', object: 'model', owned_by: 'openai' });
    expect((await proxy.ask('/v1/models/claude-x', undefined, ANTHROPIC)).json()).toMatchObject({ id: 'claude-x', type: 'model' });
    const unknown = await stage.proxy.ask('/v1/models/offlien');
    expect([unknown.status, unknown.text]).toEqual([404, expect.stringContaining('offline')]);
  });

  test(
    verifies('L3:listed-models', 'what an upstream lists is listed, once, under a name that leads there; one that is away adds nothing'),
    async () => {
      const away = await startProxy({ openAiBaseUrl: provider.baseUrl, anthropicBaseUrl: 'http://127.0.0.1:1', model: 'scripted' });
      try {
        for (const dialect of [undefined, ANTHROPIC]) {
          const { data } = (await away.ask('/v1/models', undefined, dialect)).json<{ data: { id: string }[] }>();
          expect(data.map(({ id }) => id)).toEqual(['scripted', 'offline']);
        }
      } finally {
        await away.stop();
      }
      const { data } = (await proxy.ask('/v1/models')).json<{ data: { id: string; owned_by: string }[] }>();
      expect(data.map(({ id, owned_by }) => `${owned_by}: ${id}`)).toEqual([
        ...['openai: gpt-default', 'offline: offline', 'openai: scripted', 'anthropic: anthropic/scripted'],
      ]);
      for (const { id } of data) expect((await proxy.ask(`/v1/models/${id}`)).json()).toMatchObject({ id });
      script = () => ({ text: 'hi' });
      for (const id of ['scripted', 'anthropic/scripted']) {
        expect((await proxy.ask('/v1/chat/completions', chat(id))).status).toBe(200);
        expect(provider.requests.at(-1)?.body.model).toBe('scripted');
      }
    },
  );

  test(
    verifies('L3:unknown-to-compatible', 'a name that no rule knows goes to the compatible server beside Anthropic, as it is'),
    async () => {
      script = () => ({ text: 'hi' });
      expect((await proxy.ask('/v1/chat/completions', chat('llama3:8b'))).status).toBe(200);
      expect(provider.requests.at(-1)).toMatchObject({ path: '/v1/chat/completions', body: { model: 'llama3:8b' } });
      expect((await proxy.ask('/v1/messages', messages('qwen3'))).status).toBe(200);
      expect(provider.requests.at(-1)).toMatchObject({ path: '/v1/chat/completions', body: { model: 'qwen3' } });
    },
  );

  test('an unknown model is 404 with the nearest names, and says what to set where nothing is configured', async () => {
    const near = await stage.proxy.ask('/v1/chat/completions', chat('offlien'));
    expect([near.status, near.json<{ error: object }>().error]).toMatchObject([
      404,
      { code: 'model_not_found', message: expect.stringContaining('offline') },
    ]);
    const unset = await bare.ask('/v1/messages', messages('claude-x'));
    expect([unset.status, unset.text]).toEqual([404, expect.stringContaining('ANTHROPIC_API_KEY')]);
  });

  test('without a model the default is asked', async () => {
    script = () => ({ text: 'hi' });
    const before = provider.requests.length;
    const answer = await proxy.ask('/v1/chat/completions', chat());
    expect(answer.headers.get('x-codelab-model')).toBe('gpt-default');
    expect(provider.requests[before]?.body.model).toBe('gpt-default');
  });
});

describe('count_tokens', () => {
  test(verifies('L3:count-tokens', 'the upstream counts where it can'), async () => {
    script = () => ({ usage: { prompt_tokens: 4711, completion_tokens: 0 } });
    const before = provider.requests.length;
    const counted = await proxy.ask('/v1/messages/count_tokens?beta=true', messages('claude-x', { max_tokens: undefined }));
    expect([counted.status, counted.json()]).toEqual([200, { input_tokens: 4711 }]);
    expect(provider.requests[before]).toMatchObject({ path: '/v1/messages/count_tokens?beta=true', body: { model: 'claude-x' } });
  });

  test.each([
    ['has no such endpoint', 'claude-x'],
    ['speaks another dialect', 'gpt-x'],
    ['is the built-in model', 'offline'],
  ])(verifies('L3:count-tokens', 'it is estimated where the upstream %s'), async (_why, model) => {
    script = () => ({ status: 404, body: { type: 'error', error: { type: 'not_found_error', message: 'no' } } });
    const counted = await proxy.ask('/v1/messages/count_tokens', messages(model));
    expect([counted.status, counted.headers.get('x-codelab-estimated')]).toEqual([200, 'true']);
    expect(counted.json<{ input_tokens: number }>().input_tokens).toBeGreaterThan(0);
  });
});

describe('names that no header can carry', () => {
  test.each(['claude-한글', 'claude-\u0000', 'claude-\r\nx-evil: 1', `claude-${'x'.repeat(100_000)}`])(
    '%j is answered all the same',
    async (model) => {
      script = () => ({ text: 'hi' });
      for (const path of ['/v1/messages/count_tokens', '/v1/messages']) {
        const answer = await proxy.ask(path, messages(model));
        expect([answer.status, answer.headers.get('x-evil')]).toEqual([200, null]);
        expect(answer.headers.get('x-codelab-model')!.length).toBeLessThanOrEqual(256);
      }
    },
  );
});

describe('what goes to an upstream', () => {
  test(verifies('L1:client-keys', "a caller's token never goes, and our key goes to its own upstream alone"), async () => {
    script = () => ({ text: 'hi' });
    const before = provider.requests.length;
    for (const model of ['gpt-x', 'claude-x']) {
      await proxy.ask('/v1/chat/completions', chat(model));
      await proxy.ask('/v1/messages', messages(model), { token: null, headers: { 'x-api-key': TOKEN, cookie: 'a=b' } });
    }
    for (const { headers, body } of provider.requests.slice(before)) {
      const all = JSON.stringify(headers);
      expect(all).not.toContain(TOKEN);
      expect(headers.cookie).toBeUndefined();
      const isOpenAi = body.model === 'gpt-x';
      expect([all.includes(OPENAI_KEY), all.includes(ANTHROPIC_KEY)]).toEqual([isOpenAi, !isOpenAi]);
    }
  });

  test(verifies('L3:trace', 'the trace goes on with a span of ours, and the headers of the dialect with it'), async () => {
    script = () => ({ text: 'hi' });
    const before = provider.requests.length;
    const trace = '0af7651916cd43dd8448eb211c80319c';
    const headers = {
      traceparent: `00-${trace}-b7ad6b7169203331-01`,
      tracestate: 'a=b',
      ...ANTHROPIC.headers,
      'anthropic-beta': 'one,two',
    };
    await proxy.ask('/v1/messages?beta=true&key=secret', messages('claude-x'), { headers });
    await proxy.ask('/v1/messages', messages('gpt-x'), { headers });
    const [relayed, translated] = provider.requests.slice(before);
    expect(relayed).toMatchObject({
      path: '/v1/messages?beta=true',
      headers: { tracestate: 'a=b', 'anthropic-beta': 'one,two', 'anthropic-version': '2023-06-01' },
    });
    for (const request of [relayed, translated])
      expect(request?.headers.traceparent).toMatch(new RegExp(`^00-${trace}-(?!b7ad6b7169203331)[0-9a-f]{16}-01$`));
  });

  test(
    verifies('L3:RQ29', 'strict of a Messages caller goes to an OpenAI upstream for schemas in its strict form, a chat caller’s always'),
    async () => {
      script = () => ({ text: 'hi' });
      const open = { type: 'object', properties: { path: { type: 'string' } } };
      const closed = { ...open, required: ['path'], additionalProperties: false };
      const tools = [open, closed].map((input_schema, place) => ({ name: `t${String(place)}`, input_schema, strict: true }));
      const output_config = { format: { type: 'json_schema', schema: open } };
      await proxy.ask('/v1/messages', messages('gpt-x', { tools, output_config }));
      const { body } = provider.requests.at(-1)!;
      expect(body).toMatchObject({ tools: [{ function: { parameters: open } }, { function: { parameters: closed, strict: true } }] });
      expect(JSON.stringify(body).match(/"strict"/g)).toHaveLength(1);
      const functions = [{ type: 'function', function: { name: 't', parameters: open, strict: true } }];
      await proxy.ask('/v1/chat/completions', { ...chat('gpt-x'), tools: functions });
      expect(provider.requests.at(-1)).toMatchObject({ body: { tools: functions } });
    },
  );

  test(
    verifies('R5:callers', 'a call that nobody answered goes to a provider of the other dialect with a result that says so'),
    async () => {
      script = () => ({ text: 'hi' });
      const before = provider.requests.length;
      const calls = ['a', 'b'].map((id) => ({ id, type: 'function', function: { name: 'read', arguments: '{}' } }));
      const asked = [
        { role: 'user', content: 'go' },
        { role: 'assistant', tool_calls: calls },
        { role: 'tool', tool_call_id: 'b', content: 'B' },
      ];
      await proxy.ask('/v1/chat/completions', { model: 'claude-x', messages: asked });
      const uses = ['a', 'b'].map((id) => ({ type: 'tool_use', id, name: 'read', input: {} }));
      await proxy.ask(
        '/v1/messages',
        messages('gpt-x', { messages: [asked[0], { role: 'assistant', content: uses }, { role: 'user', content: 'and?' }] }),
      );
      const [toAnthropic, toOpenAi] = provider.requests
        .slice(before)
        .map(({ body }) => body['messages'] as { role: string; content: unknown }[]);
      expect(toAnthropic!.at(-1)!.content).toMatchObject([
        { type: 'tool_result', tool_use_id: 'a', content: expect.stringContaining('OUTCOME_UNKNOWN') },
        { type: 'tool_result', tool_use_id: 'b', content: 'B' },
      ]);
      expect(toOpenAi!.map(({ role }) => role)).toEqual(['user', 'assistant', 'tool', 'tool', 'user']);
    },
  );

  test('the fields that are for us never go', async () => {
    script = () => ({ text: 'hi' });
    for (const model of ['gpt-x', 'claude-x']) {
      const before = provider.requests.length;
      const ours = { tool_execution: 'none', max_tool_rounds: 3, session_id: 's1' };
      expect((await proxy.ask('/v1/chat/completions', chat(model, ours))).status).toBe(200);
      for (const field of Object.keys(ours)) expect(provider.requests[before]?.text).not.toContain(field);
    }
  });

  test('what an upstream tells of its limits comes back, and nothing of its accounts', async () => {
    const told = { 'anthropic-ratelimit-requests-remaining': '7', 'x-ratelimit-remaining-requests': '8' };
    script = () => ({ text: 'hi', headers: { ...told, 'anthropic-organization-id': 'org', 'set-cookie': 'a=b', server: 'cloud' } });
    const { headers } = await proxy.ask('/v1/messages', messages('claude-x'));
    expect(Object.fromEntries(headers)).toMatchObject({ ...told, 'x-codelab-upstream': 'anthropic', 'x-codelab-model': 'claude-x' });
    for (const name of ['anthropic-organization-id', 'set-cookie', 'server']) expect(headers.get(name)).toBeNull();
  });
});

describe('streams', () => {
  test('a stream that an upstream answers in one piece is a stream all the same', async () => {
    script = () => ({
      headers: { 'content-type': 'application/json' },
      body: {
        id: 'x',
        object: 'chat.completion',
        created: 1,
        model: 'm',
        choices: [{ index: 0, message: { role: 'assistant', content: 'whole' }, finish_reason: 'stop' }],
      },
    });
    const answer = await proxy.ask('/v1/chat/completions', chat('gpt-x', { stream: true }));
    expect(answer.headers.get('content-type')).toMatch(/^text\/event-stream/);
    expect(answer.text).toContain('"whole"');
    expect(answer.events().at(-1)).toEqual({ data: '[DONE]' });
  });

  test(
    verifies('G4:upstream-backpressure', 'a caller that does not read stops the upstream, and gets everything once it does'),
    async () => {
      const piece = 'x'.repeat(64 * 1024);
      const count = 400;
      const chunk = (delta: object, finish_reason: string | null = null) => ({ id: 'x', choices: [{ index: 0, delta, finish_reason }] });
      let written = 0;
      const chunks = Array.from({ length: count }, () => chunk({ content: piece }));
      const counted = new Proxy(chunks, {
        get: (target, key, receiver) =>
          key === 'entries' ? () => countedEntries(target) : (Reflect.get(target, key, receiver) as unknown),
      });
      function* countedEntries(of: readonly object[]): Generator<[number, object | string]> {
        yield [0, chunk({ role: 'assistant', content: '' })];
        for (const [place, one] of of.entries()) {
          written += 1;
          yield [place + 1, one];
        }
        yield [count + 1, chunk({}, 'stop')];
        yield [count + 2, 'data: [DONE]\n\n'];
      }
      script = () => ({ chunks: counted });
      const response = await proxy.send('/v1/chat/completions', chat('gpt-x', { stream: true }));
      const reader = response.body!.getReader();
      let bytes = ((await reader.read()) as { value: Uint8Array }).value.length;
      let [seen, looks] = [-1, 0];
      await eventually('the upstream stands still', () => {
        looks = written === seen ? looks + 1 : 0;
        seen = written;
        return looks >= 20;
      });
      expect(seen).toBeLessThan(count);
      for (let next = await reader.read(); !next.done; next = await reader.read()) bytes += (next.value as Uint8Array).length;
      expect([written, bytes > count * piece.length]).toEqual([count, true]);
    },
  );
});

describe('operation', () => {
  test('each request is counted by dialect, upstream and model, with its times', async () => {
    script = () => ({ text: 'hi', usage: { prompt_tokens: 7, completion_tokens: 3 } });
    await stage.proxy.ask('/v1/messages', messages('o7/counted'));
    const text = await eventually('the metrics', async () => {
      const { text } = await stage.proxy.ask('/metrics', undefined, { token: null });
      return text.includes('o7') ? text : undefined;
    });
    const labels = 'dialect="messages",upstream="o7",model="counted"';
    for (const line of [
      ...['overhead_seconds', 'first_byte_seconds', 'request_seconds'].map(
        (name) => `codelab_llm_proxy_http_${name}_count{service="llm-proxy",${labels}} 1`,
      ),
      'codelab_llm_proxy_http_tokens_total{model="counted",direction="input",service="llm-proxy"} 7',
      'codelab_llm_proxy_http_requests_total{dialect="messages",upstream="o7",status="200",outcome="answered",service="llm-proxy"} 1',
    ]) {
      expect(text).toContain(line);
    }
  });

  test(
    verifies('R4:proxy-drain', 'a proxy that stops lets its streams end, and answers what comes by connections that stand'),
    async () => {
      let goOn = (): void => undefined;
      const hold = new Promise<void>((resolve) => (goOn = resolve));
      script = () => ({ text: 'to its end', pieceCharacters: 99, hold, holdAfterChunks: 2 });
      const draining = await startProxy({ openAiBaseUrl: provider.baseUrl });
      const response = await draining.send('/v1/chat/completions', chat('gpt-x', { stream: true }));
      const late = connect(draining.port, '127.0.0.1');
      late.write(`GET /v1/models HTTP/1.1\r\nHost: 127.0.0.1:${draining.port}\r\nAuthorization: Bearer ${TOKEN}\r\n`);
      await draining.ask('/v1/models'); // the head is under way
      const stopping = draining.stop();
      await expect(draining.ask('/v1/models')).rejects.toThrow(); // nobody listens
      late.write('\r\n');
      expect(await text(late)).toMatch(/^HTTP\/1\.1 200 [\s\S]*connection: close[\s\S]*"object":"list"/i);
      const reading = response.text();
      goOn();
      expect(await reading).toMatch(/to its end[\s\S]*\[DONE\]\n\n$/);
      await stopping;
    },
  );

  test('a stream that outlives the time to stop is broken off with an error', async () => {
    script = () => ({ text: 'never to its end', hold: new Promise(() => undefined), holdAfterChunks: 2 });
    const draining = await startProxy({ openAiBaseUrl: provider.baseUrl, drainTimeoutMs: 50 });
    const response = await draining.send('/v1/chat/completions', chat('gpt-x', { stream: true }));
    const reading = response.text();
    const stopping = draining.stop();
    expect(await reading).toMatch(/data: \{"error":.*\n\n$/);
    await stopping;
  });
});
