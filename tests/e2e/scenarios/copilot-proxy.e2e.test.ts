import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { eventually, verifies, type ScriptedProvider } from '@codelab/testkit';
import { askChat, askProxy, type AskOptions, type ChatChunk } from '../ask-proxy.js';
import { Person } from '../person.js';
import { plan, startPlannedModel } from '../planned-model.js';
import { startSystem, type System } from '../start-system.js';
import type { WireClient, WireFrame } from '../wire-client.js';

/** Each test is somebody else, so that nobody's IDEs are in the way of another test. */
const PEOPLE = Array.from({ length: 24 }, (_, n) => `token-${String(n)}=acme/person-${String(n)}`);
const LIMITED = ['no-run=acme/limited?scopes=llm+tools:list', 'no-list=acme/limited?scopes=llm'];

let model: ScriptedProvider;
let system: System;
let tool: Server;
let toolCalls: { readonly body: string; readonly key: string | undefined }[] = [];
let toolUrl: string;
let people = 0;

beforeAll(async () => {
  tool = createServer((request, response) => {
    let body = '';
    request.setEncoding('utf8').on('data', (text: string) => (body += text));
    request.on('end', () => {
      toolCalls.push({ body, key: request.headers['x-key'] as string | undefined });
      response.writeHead(200, { 'content-type': 'application/json' }).end('{"output":[{"content":"sunny"}]}');
    });
  });
  await new Promise<void>((done) => tool.listen(0, '127.0.0.1', done));
  const address = `127.0.0.1:${String((tool.address() as AddressInfo).port)}`;
  toolUrl = `http://${address}/weather`;
  model = await startPlannedModel();
  system = await startSystem({
    env: {
      ...{ OPENAI_BASE_URL: model.baseUrl, OPENAI_API_KEY: 'k', CODELAB_MODEL: 'gpt-test' },
      ...{ CODELAB_TOKENS: [...PEOPLE, ...LIMITED].join(','), CODELAB_EGRESS_ALLOW: address },
    },
  });
});

afterAll(async () => {
  await system.stop();
  await model.close();
  await new Promise((done) => tool.close(done));
});

const person = async (use: (one: Person) => Promise<void>): Promise<void> => {
  const one = new Person(system, `token-${String(people++)}`);
  try {
    await use(one);
  } finally {
    await one.leave();
  }
};

const approve = (ide: WireClient, call: WireFrame, more: object = {}): void =>
  ide.send({ type: 'hitl_decision', call_id: call['call_id'], args_sha256: call['args_sha256'], decision: 'approve', ...more });
const question = (ide: WireClient): Promise<WireFrame> =>
  ide.waitFor(({ type, state }) => type === 'tool_call' && state === 'waiting_approval', 'a question');
const read = { tool: 'read_file', args: { path: 'package.json' } };
const write = { tool: 'write_file', args: { path: 'a.txt', content: 'x' } };
const toolTexts = (request = model.requests.at(-1)): string[] =>
  request?.body.messages.filter(({ role }) => role === 'tool').map(({ content }) => String(content)) ?? [];

test(verifies('S1:tools-of-ides', 'the tools of connected IDEs and those by URL are listed, filtered, and gone when the IDE is'), () =>
  person(async (one) => {
    const list = async (query = ''): Promise<string[]> => {
      const response = await askProxy('GET', `/v1/tools${query}`, one.ask);
      const { data } = (await response.json()) as { data: { name: string }[] };
      return data.map(({ name }) => name).filter((name) => !name.startsWith('web.')); // the runtime's, which nobody connects
    };
    expect(await list()).toEqual([]);
    const ide = await one.openIde('tools', ['read_file', 'git.diff', { name: 'jira', description: 'd', input_schema: {}, tags: ['mcp'] }]);
    await eventually('the tools', async () => (await list()).length === 3);
    const body = { name: 'weather', description: 'w', inputSchema: { type: 'object' }, url: toolUrl, headers: { 'x-key': 'secret' } };
    expect((await askProxy('POST', '/v1/tools', one.ask, body)).status).toBe(201);
    expect((await askProxy('POST', '/v1/tools', one.ask, body)).status).toBe(200);
    expect(await list()).toEqual(['git.diff', 'jira', 'read_file', 'weather']);
    expect(await list('?tags=builtin,%20readonly')).toEqual(['git.diff', 'read_file']);
    expect(await list('?name=GIT*')).toEqual(['git.diff']);
    expect(await list('?name=%3F')).toEqual([]);
    expect(await (await askProxy('GET', '/tools?tags=http', one.ask)).text()).not.toMatch(/secret|127\.0\.0\.1/);
    expect((await askProxy('DELETE', '/v1/tools/weather', one.ask)).status).toBe(204);
    expect((await askProxy('DELETE', '/v1/tools/weather', one.ask)).status).toBe(404);
    await ide.close();
    await eventually('nothing', async () => (await list()).length === 0);
  }),
);

test(
  verifies('H1:auto-runs', 'the loop runs through the IDE: the answer has the text of all rounds, the model read what the IDE answered'),
  () =>
    person(async (one) => {
      await one.openIde('run', ['read_file', 'git.diff']);
      const answer = await one.auto([{ text: 'Reading.', calls: [read] }, { text: 'It is v1.2.3.' }], { temperature: 0.5 });
      expect([answer.status, answer.body.error]).toEqual([200, undefined]);
      expect(answer.body.choices).toHaveLength(1);
      expect(answer.body.choices[0]).toMatchObject({
        message: { role: 'assistant', content: 'Reading.\n\nIt is v1.2.3.' },
        finish_reason: 'stop',
      });
      expect(answer.body.usage).toMatchObject({ prompt_tokens: 20, completion_tokens: 10 });
      expect(answer.headers.get('x-codelab-session')).toBe('run');
      expect(answer.headers.get('x-codelab-stop')).toBeNull();
      const { body, headers } = model.requests.at(-1)!;
      expect(headers['traceparent']).toMatch(new RegExp(`^00-${'ab'.repeat(16)}-`));
      expect(toolTexts()).toEqual([expect.stringContaining('v1.2.3')]);
      expect(body).toMatchObject({ temperature: 0.5, tools: [{ function: { name: 'read_file' } }, { function: { name: 'git_diff' } }] });
      expect(JSON.stringify(body)).not.toMatch(/use_ide_tools|tool_execution/);
      const logged = await eventually('the log', async () => {
        const page = (await (await askProxy('GET', '/v1/tool-calls', one.ask)).json()) as { data: Record<string, unknown>[] };
        return page.data.length > 0 && page.data;
      });
      expect(logged).toEqual([
        expect.objectContaining({ tool: 'read_file', session_id: 'run', round: 1, outcome: 'ok', source: 'builtin' }),
      ]);
      const used = await eventually('the usage', async () => {
        const { rows } = (await (await askProxy('GET', '/v1/usage?group_by=session', one.ask)).json()) as {
          rows: Record<string, unknown>[];
        };
        return rows[0]?.['requests'] === 2 && rows;
      });
      expect(used).toEqual([expect.objectContaining({ session_id: 'run', requests: 2, input_tokens: 20, output_tokens: 10 })]);
    }),
);

test(verifies('L3:CP2', 'what clients write in many ways is taken: content in parts, a developer message, an answer without content'), () =>
  person(async (one) => {
    await one.openIde('forms', ['read_file', 'git.diff']);
    const messages = [
      { role: 'developer', content: 'Be brief.' },
      { role: 'assistant', tool_calls: [{ id: 'c1', type: 'function', function: { name: 'git.diff', arguments: '' } }] },
      { role: 'tool', tool_call_id: 'c1', content: [{ type: 'text', text: 'nothing' }] },
      { role: 'user', content: [{ type: 'text', text: plan({ calls: [read] }, { text: 'Fine.' }) }] },
    ];
    const before = model.requests.length;
    const tool_choice = { type: 'function', function: { name: 'git.diff' } };
    const answer = await one.chat({ messages, tool_choice, use_vscode_tools: true, tool_execution: 'auto' });
    expect([answer.status, answer.body.choices[0]?.message.content]).toEqual([200, 'Fine.']);
    const [first, second] = model.requests.slice(before).map(({ body }) => body);
    expect(first).toMatchObject({ tool_choice: { function: { name: 'git_diff' } }, messages: [{ content: 'Be brief.' }, {}, {}, {}] });
    expect(second).not.toHaveProperty('tool_choice'); // a choice that is forced for ever would never let it end
  }),
);

test(
  verifies('L3:CP4-unlimited', "a limit of 0 rounds is none: more rounds than the default and than the runtime's own run to their end"),
  () =>
    person(async (one) => {
      await one.openIde('long', ['read_file']);
      // each another call: a model that repeats itself is asked about
      const rounds = Array.from({ length: 51 }, (_, n) => ({ calls: [{ tool: 'read_file', args: { path: `${String(n)}.json` } }] }));
      const answers = [...rounds, { text: 'Done.' }];
      expect((await one.auto(answers, { max_tool_rounds: 0 })).body.choices[0]?.message.content).toBe('Done.');
      const limited = await one.auto(answers);
      expect([limited.headers.get('x-codelab-stop'), toolTexts().length]).toEqual(['max_tool_rounds', 10]);
      const capped = await one.auto(answers, { max_tool_rounds: 100 });
      expect([capped.headers.get('x-codelab-stop'), toolTexts().length]).toEqual(['runtime_max_rounds', 49]);
      expect(capped.body.choices[0]?.message.content).toMatch(/\(RUNTIME_MAX_ROUNDS\), which is lower than max_tool_rounds \(100\)/);
      const streamed = await one.auto(answers, { max_tool_rounds: 100, stream: true });
      expect(streamed.chunks.flatMap(({ codelab }) => codelab?.stop ?? [])).toEqual(['runtime_max_rounds']);
    }),
);

test(verifies('L3:CP3', 'with stream: true it is a stream: text as it comes, what the tools do beside it'), () =>
  person(async (one) => {
    let wasToldBefore = false;
    const seen: ChatChunk[] = [];
    await one.openIde('stream', ['read_file'], () => {
      wasToldBefore = seen.some(({ choices }) => choices[0]?.delta.content?.includes('Read'));
      return { content: 'x' };
    });
    const answer = await one.auto(
      [{ text: 'Reading.', calls: [read] }, { text: 'Done.' }],
      { stream: true, stream_options: { include_usage: true } },
      (chunk) => seen.push(chunk),
    );
    expect([answer.status, answer.text, answer.isDone, wasToldBefore]).toEqual([200, 'Reading.\n\nDone.', true, true]);
    const states = answer.chunks.flatMap(({ codelab }) =>
      codelab?.tool ? [[codelab.tool.name, codelab.tool.state, codelab.tool.round]] : [],
    );
    expect(states).toEqual([
      ['read_file', 'running', 1],
      ['read_file', 'done', 1],
    ]);
    expect(answer.chunks.flatMap(({ choices }) => choices[0]?.finish_reason ?? [])).toEqual(['stop']);
    expect(answer.chunks.at(-1)).toMatchObject({ choices: [], usage: { prompt_tokens: 20 } });
  }),
);

test(
  verifies(
    'H1:auto-approval',
    'what needs an approval is asked at the IDE and waits for it; a rule that does not say proxy spares nothing',
  ),
  () =>
    person(async (one) => {
      const rule = { scope: 'user', rule: { effect: 'allow', tool: 'write_file', path: '**' } };
      const made = await askProxy('POST', '/api/v1/rules', { ...one.ask, url: system.gateways[0]?.url ?? '' }, rule);
      expect([made.status, await made.text()]).toEqual([201, expect.any(String)]);
      let ran = 0;
      const ide = await one.openIde('ask', ['write_file'], () => ({ bytes_written: (ran += 1) }));
      const answering = one.auto([{ calls: [write] }, { text: 'Written.' }]);
      const call = await question(ide);
      expect(call).toMatchObject({ tool_name: 'write_file', args: write.args, origin: 'proxy', requires_approval: true });
      expect(ran).toBe(0);
      approve(ide, call);
      expect((await answering).body.choices[0]?.message.content).toBe('Written.');
      expect(ran).toBe(1);
      const allowed = { scope: 'user', rule: { effect: 'allow', tool: 'write_file', path: '**', proxy: true } };
      await askProxy('POST', '/api/v1/rules', { ...one.ask, url: system.gateways[0]?.url ?? '' }, allowed);
      expect((await one.auto([{ calls: [write] }, { text: 'Again.' }])).body.choices[0]?.message.content).toBe('Again.');
      expect(ran).toBe(2);
    }),
);

test(verifies('H1:auto-refused', 'a rejection reaches the model, and nothing runs'), () =>
  person(async (one) => {
    const ide = await one.openIde('reject', ['write_file']);
    const answering = one.auto([{ calls: [write] }, { text: 'Then not.' }]);
    approve(ide, await question(ide), { decision: 'reject', feedback: 'not here' });
    expect((await answering).body.choices[0]?.message.content).toBe('Then not.');
    expect(toolTexts()).toEqual([expect.stringMatching(/^Error \[DENIED_BY_USER\].*not here/)]);
  }),
);

test(
  verifies(
    'L3:CP-handover',
    'a call that only the caller can run is handed over, and the loop goes on with its result, the rounds before it included',
  ),
  () =>
    person(async (one) => {
      await one.openIde('hand', ['read_file']);
      const own = {
        type: 'function',
        function: { name: 'my.tool', description: 'mine', strict: true, parameters: { type: 'object', properties: {} } },
      };
      const user = {
        role: 'user',
        content: plan(
          { text: 'Reading.', calls: [read] },
          { text: 'Yours.', calls: [{ tool: 'my.tool', args: '{"n": 12345678901234567890}' }, read] },
          { text: 'All done.' },
        ),
      };
      const asked = { use_ide_tools: true, tool_execution: 'auto', tools: [own] };
      const first = await one.chat({ ...asked, messages: [user] });
      const [choice] = first.body.choices;
      expect(choice).toMatchObject({
        finish_reason: 'tool_calls',
        message: {
          content: 'Reading.\n\nYours.',
          tool_calls: [{ function: { name: 'my.tool', arguments: '{"n": 12345678901234567890}' } }],
        },
      });
      expect(choice?.message.tool_calls).toHaveLength(1);
      const { tools } = model.requests.at(-1)!.body as { tools?: readonly object[] };
      expect(tools).toContainEqual(expect.objectContaining({ function: expect.objectContaining({ name: 'my_tool', strict: true }) }));
      const id = choice?.message.tool_calls?.[0]?.id;
      const second = await one.chat({
        ...asked,
        messages: [user, choice?.message ?? {}, { role: 'tool', tool_call_id: id, content: 'my result' }],
      });
      expect(second.body.choices[0]).toMatchObject({ finish_reason: 'stop', message: { content: 'All done.' } });
      const { messages } = model.requests.at(-1)!.body;
      expect(messages.map(({ role }) => role)).toEqual(['user', 'assistant', 'tool', 'assistant', 'tool', 'tool']);
      expect(messages.map(({ content }) => content).slice(1)).toEqual([
        'Reading.',
        expect.stringContaining('v1.2.3'),
        'Yours.',
        ...[expect.any(String), expect.any(String)],
      ]);
      expect(toolTexts()).toContain('my result');
    }),
);

test(verifies('L3:CP5', 'at the limit of rounds the text of all rounds is kept, with a clear mark, finish stop and the header'), () =>
  person(async (one) => {
    await one.openIde('rounds', ['read_file']);
    const answers = ['One.', 'Two.', 'Three.', 'Four.'].map((text) => ({ text, calls: [read] }));
    const answer = await one.auto(answers, { max_tool_rounds: 2 });
    const text = answer.body.choices[0]?.message.content;
    expect(text).toMatch(/^One\.\n\nTwo\.\n\nThree\.\n\n\[Stopped: max_tool_rounds reached \(2\)/);
    expect(answer.body.choices[0]).toMatchObject({ finish_reason: 'stop' });
    expect(answer.body.choices[0]?.message).not.toHaveProperty('tool_calls');
    expect(answer.headers.get('x-codelab-stop')).toBe('max_tool_rounds');
    const streamed = await one.auto(answers, { max_tool_rounds: 2, stream: true });
    expect([streamed.text, streamed.isDone]).toEqual([text, true]);
    expect(streamed.chunks.flatMap(({ codelab }) => codelab?.stop ?? [])).toEqual(['max_tool_rounds']);
  }),
);

test(verifies('L2:auto-hang-up', 'a caller that hangs up ends the turn: the model is left, the call is cancelled'), () =>
  person(async (one) => {
    const ide = await one.openIde('hang', ['write_file']);
    const leaving = new AbortController();
    const messages = [{ role: 'user', content: plan({ calls: [write] }, { text: 'never' }) }];
    const asked = one.chat({ messages, use_ide_tools: true, tool_execution: 'auto', stream: true }, undefined, leaving.signal);
    asked.catch(() => undefined);
    const call = await question(ide);
    leaving.abort();
    await ide.waitFor(
      ({ type, call_id }) => ['tool_cancel', 'approval_resolved'].includes(type) && call_id === call['call_id'],
      'the end of the call',
    );
    const before = model.requests.length;
    const slow = new AbortController();
    const writing = one.chat(
      {
        messages: [{ role: 'user', content: plan({ text: 'slowly '.repeat(200), slow: 50 }) }],
        use_ide_tools: true,
        tool_execution: 'auto',
        stream: true,
      },
      ({ choices }) => (choices[0]?.delta.content ? slow.abort() : undefined),
      slow.signal,
    );
    await expect(writing).rejects.toThrow();
    expect(await (await model.request(before)).ended).toBe('hung_up');
  }),
);

test(verifies('H1:auto-which-ide', 'without an IDE, with several, and with another one the request is refused with what to do'), () =>
  person(async (one) => {
    const none = await one.auto([{ text: 'x' }]);
    expect([none.status, none.body.error.code]).toEqual([409, 'no_ide_connected']);
    const [a, b] = [await one.openIde('a', ['read_file']), await one.openIde('b', ['read_file'])];
    const several = await eventually('both', async () => {
      const answer = await one.auto([{ text: 'x' }]);
      return answer.status === 409 && answer.body.error.code === 'several_ides_connected' ? answer : undefined;
    });
    expect(several.body.error).toMatchObject({ message: expect.stringContaining('a (folder of a), b (folder of b)'), param: 'session_id' });
    const named = await one.auto([{ text: 'x' }], { session_id: 'b' });
    expect([named.status, named.headers.get('x-codelab-session')]).toEqual([200, 'b']);
    const other = await one.auto([{ text: 'x' }], { session_id: 'c' });
    expect([other.status, other.body.error.code]).toEqual([409, 'session_not_connected']);
    await Promise.all([a.close(), b.close()]);
  }),
);

test(verifies('H1:auto-scopes', 'running tools and listing them need their scopes; a wrong field is refused by its name'), async () => {
  const ask = (token: string): AskOptions => ({ url: system.proxies[0]?.url ?? '', token });
  const messages = [{ role: 'user', content: plan({ text: 'hi' }) }];
  const run = await askChat({ messages, tool_execution: 'auto' }, ask('no-run'));
  expect([run.status, run.body.error.message]).toEqual([403, expect.stringContaining('tools:run')]);
  const offered = await askChat({ messages, use_vscode_tools: true }, ask('no-list'));
  expect([offered.status, offered.body.error.message]).toEqual([403, expect.stringContaining('tools:list')]);
  expect((await askProxy('GET', '/v1/tools', ask('no-list'))).status).toBe(403);
  expect((await askProxy('POST', '/v1/tools', ask('no-run'), {})).status).toBe(403);
  for (const [field, value] of [
    ['max_tool_rounds', -1],
    ['max_tool_rounds', 1.5],
    ['tool_execution', 'yes'],
    ['use_ide_tools', 1],
  ] as const) {
    const wrong = await askChat({ messages, [field]: value }, ask('no-run'));
    expect([wrong.status, wrong.body.error.type, wrong.body.error.param]).toEqual([400, 'invalid_request_error', field]);
  }
});

test(
  verifies(
    'H1:http-tool',
    'a tool by URL is asked about at the IDE, runs once at the proxy with its headers, and the model reads its answer',
  ),
  () =>
    person(async (one) => {
      const ide = await one.openIde('url', ['read_file']);
      const inputSchema = { type: 'object', properties: { city: { type: 'string' } } };
      await askProxy('POST', '/v1/tools', one.ask, {
        name: 'weather',
        description: 'w',
        inputSchema,
        url: toolUrl,
        headers: { 'x-key': 'secret' },
      });
      toolCalls = [];
      const answering = one.auto([{ calls: [{ tool: 'weather', args: '{"city": "Zürich"}' }] }, { text: 'Sunny.' }]);
      const call = await question(ide);
      expect(call).toMatchObject({ tool_name: 'weather', runs_at: 'server', args: { city: 'Zürich' } });
      expect(toolCalls).toEqual([]);
      approve(ide, call);
      expect((await answering).body.choices[0]?.message.content).toBe('Sunny.');
      expect(toolCalls).toEqual([{ body: '{"arguments":{"city": "Zürich"}}', key: 'secret' }]);
      expect(toolTexts()).toEqual(['{"output":[{"content":"sunny"}]}']);
      expect(system.logs()).not.toContain('x-key');
    }),
);

test(
  verifies(
    'L3:CP-offered',
    'with tool_execution none the tools of the IDE are offered, and its calls come to the caller by their own names',
  ),
  () =>
    person(async (one) => {
      await one.openIde('none', ['read_file', 'git.diff']);
      const own = {
        type: 'function',
        function: { name: 'read_file', description: 'mine', parameters: { type: 'object', properties: {} } },
      };
      const messages = [{ role: 'user', content: plan({ calls: [{ tool: 'git.diff', args: { path: '.' } }] }) }];
      for (const stream of [false, true]) {
        const answer = await one.chat({ messages, tools: [own], use_vscode_tools: true, stream });
        const { body } = model.requests.at(-1)!;
        expect(body['tools']).toEqual([own, expect.objectContaining({ function: expect.objectContaining({ name: 'git_diff' }) })]);
        expect(Object.keys(body)).not.toContain('use_vscode_tools');
        const names = stream
          ? answer.chunks
              .flatMap(({ choices }) => (choices[0]?.delta.tool_calls ?? []) as { function?: { name?: string } }[])
              .flatMap((delta) => delta.function?.name ?? [])
          : answer.body.choices[0]?.message.tool_calls?.map((call) => call.function.name);
        expect(names).toEqual(['git.diff']);
      }
    }),
);

test('a request with nothing but tools of its own is passed on, whether or not there is an IDE', () =>
  person(async (one) => {
    const own = { type: 'function', function: { name: 'mine', parameters: { type: 'object', properties: {} } } };
    const messages = [{ role: 'user', content: plan({ calls: [{ tool: 'mine', args: '{}' }] }) }];
    const answer = await one.chat({ messages, tools: [own], tool_execution: 'auto' });
    expect(answer.body.choices[0]).toMatchObject({
      finish_reason: 'tool_calls',
      message: { tool_calls: [{ function: { name: 'mine' } }] },
    });
  }));

test(verifies('L3:CP-dialects', 'the other dialects run tools, too, and hand over in their own words'), () =>
  person(async (one) => {
    await one.openIde('dialects', ['read_file']);
    const content = plan({ text: 'Reading.', calls: [read] }, { text: 'Yours.', calls: [{ tool: 'mine', args: '{"a":1}' }] });
    const asked = { model: 'gpt-test', use_ide_tools: true, tool_execution: 'auto' };
    const messages = await askProxy('POST', '/v1/messages', one.ask, {
      ...{ ...asked, max_tokens: 100, messages: [{ role: 'user', content }] },
      tools: [{ name: 'mine', input_schema: { type: 'object' } }],
    });
    expect(await messages.json()).toMatchObject({
      stop_reason: 'tool_use',
      content: [
        { type: 'text', text: 'Reading.\n\nYours.' },
        { type: 'tool_use', name: 'mine', input: { a: 1 } },
      ],
    });
    const streamed = await askProxy('POST', '/v1/messages', one.ask, {
      ...{ ...asked, stream: true, max_tokens: 100, messages: [{ role: 'user', content: plan({ calls: [read] }, { text: 'Done.' }) }] },
    });
    const events = await streamed.text();
    expect(events).toMatch(/event: ping\ndata: {"type":"ping","codelab":{"tool":{[^}]*"state":"done"/);
    expect(events.trimEnd().split('\n\n').at(-1)).toContain('event: message_stop');
    const responses = await askProxy('POST', '/v1/responses', one.ask, {
      ...{ ...asked, input: content, tools: [{ type: 'function', name: 'mine', parameters: { type: 'object', properties: {} } }] },
    });
    expect(await responses.json()).toMatchObject({
      status: 'completed',
      output: [
        { type: 'message', content: [{ type: 'output_text', text: 'Reading.\n\nYours.' }] },
        { type: 'function_call', name: 'mine', arguments: '{"a":1}' },
      ],
    });
  }),
);
