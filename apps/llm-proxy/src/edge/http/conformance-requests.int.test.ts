import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startScriptedProvider, verifies, type ChatRequest, type ScriptedProvider } from '@codelab/testkit';
import { callerOf, DIRECTIONS, openStage, PATHS, upstreamOf, type Direction, type Side, type Stage } from '../__fixtures__/stage.js';
import type { Answered } from '../__fixtures__/start-proxy.js';

const ALL = DIRECTIONS.map((direction) => [direction] as const);

let provider: ScriptedProvider;
let strict: Stage;
let lenient: Stage;
/** The answer to the next requests. */
let answersTool: string | undefined;

beforeAll(async () => {
  provider = await startScriptedProvider({
    script: (request) =>
      answersTool === undefined
        ? { text: 'ok' }
        : { toolCalls: [{ id: 'call_1', name: toolNames(request.body)[0] ?? '', arguments: '{}' }] },
  });
  [strict, lenient] = await Promise.all([openStage(provider), openStage(provider, { lenient: true })]);
});
afterAll(async () => {
  await Promise.all([strict.close(), lenient.close()]);
  await provider.close();
});

type Fields = Record<string, unknown>;

const toolNames = ({ tools = [] }: ChatRequest): string[] =>
  (tools as readonly { readonly name?: string; readonly function?: { readonly name: string } }[]).map(
    (tool) => tool.function?.name ?? tool.name ?? '',
  );

/** Asks in a direction, and answers what came of it and what the upstream was asked. */
async function ask(direction: Direction, body: Fields, stage: Stage = strict): Promise<{ answer: Answered; sent: Fields; text: string }> {
  const model = stage.model(upstreamOf(direction));
  const before = provider.requests.length;
  const more = callerOf(direction) === 'A' ? { max_tokens: 100 } : {};
  const answer = await stage.proxy.ask(PATHS[callerOf(direction)], { model, ...more, ...body });
  const request = provider.requests[before];
  return { answer, sent: request?.body ?? {}, text: request?.text ?? '' };
}

/** Asks, and answers what the upstream was asked. */
async function sentBy(direction: Direction, body: Fields, stage?: Stage): Promise<Fields> {
  const { answer, sent } = await ask(direction, body, stage);
  expect([answer.status, answer.text]).toEqual([200, expect.anything()]);
  return sent;
}

const user = (content: unknown) => ({ role: 'user', content });
const assistant = (content: unknown, more: Fields = {}) => ({ role: 'assistant', content, ...more });
const call = (id: string, name = 'read', args?: string) => ({
  ...{ id, type: 'function' },
  function: { name, arguments: args },
});
const result = (tool_call_id: string, content: unknown = 'done') => ({ role: 'tool', tool_call_id, content });
const use = (id: string, name = 'read', input: unknown = {}) => ({ type: 'tool_use', id, name, input });
const used = (tool_use_id: string, content?: unknown) => ({ type: 'tool_result', tool_use_id, content });
const textBlock = (text: string) => ({ type: 'text', text });

const SCHEMA = { type: 'object', properties: { path: { type: 'string' } } };
const chatTool = (name = 'read', more: Fields = {}) => ({ type: 'function', function: { name, parameters: SCHEMA, ...more } });
const messagesTool = (name = 'read', more: Fields = {}) => ({ name, input_schema: SCHEMA, ...more });
const TOOLS: Readonly<Record<Side, (...names: string[]) => object[]>> = {
  O: (...names) => names.map((name) => chatTool(name)),
  A: (...names) => names.map((name) => messagesTool(name)),
};

/** A request of each side whose history has one call, with its arguments as they stand. */
const historyOf = (side: Side, args: string | undefined): Fields =>
  side === 'O'
    ? { tools: [chatTool()], messages: [user('go'), assistant(null, { tool_calls: [call('c1', 'read', args)] }), result('c1')] }
    : { tools: [messagesTool()], messages: [user('go'), assistant([use('c1')]), user([used('c1', 'done')])] };

/** *O→A*: what a chat request becomes for Anthropic. */
const TO_MESSAGES: readonly [title: string, body: Fields, sent: Fields][] = [
  [
    verifies('L3:RQ1', 'O→A: arguments that are empty become an empty input'),
    historyOf('O', ''),
    { messages: [{}, { content: [use('c1')] }, {}] },
  ],
  [
    verifies('L3:RQ1', 'O→A: arguments that are missing become an empty input'),
    historyOf('O', undefined),
    { messages: [{}, { content: [use('c1')] }, {}] },
  ],
  [
    verifies('L3:RQ2', 'O→A: arguments that are no JSON become an empty input'),
    historyOf('O', '{bad'),
    { messages: [{}, { content: [use('c1')] }, {}] },
  ],
  [
    verifies('L3:RQ2', 'O→A: arguments that were cut off become an empty input'),
    historyOf('O', '{"path":"a'),
    { messages: [{}, { content: [use('c1')] }, {}] },
  ],
  [
    verifies('L3:RQ3', 'O→A: a blank text beside calls is dropped'),
    { tools: [chatTool()], messages: [user('go'), assistant(' ', { tool_calls: [call('c1', 'read', '{}')] }), result('c1')] },
    { messages: [{}, { role: 'assistant', content: [use('c1')] }, {}] },
  ],
  [
    verifies('L3:RQ4', 'O→A: results in a row become one turn of the user, in order'),
    {
      tools: [chatTool()],
      messages: [
        user('go'),
        assistant(null, { tool_calls: ['c1', 'c2', 'c3'].map((id) => call(id, 'read', '{}')) }),
        ...['c1', 'c2', 'c3'].map((id) => result(id, `of ${id}`)),
      ],
    },
    { messages: [{}, {}, { role: 'user', content: ['c1', 'c2', 'c3'].map((id) => ({ type: 'tool_result', tool_use_id: id })) }] },
  ],
  [
    verifies('L3:RQ5', 'O→A: messages of one side in a row become one turn'),
    { messages: [user('a'), user('b'), assistant('c'), assistant('d'), user('e')] },
    { messages: [{ role: 'user' }, { role: 'assistant' }, { role: 'user' }] },
  ],
  [
    verifies('L3:RQ8', 'O→A: the first system messages become the system prompt, a later one stays in place'),
    {
      messages: [
        { role: 'system', content: 's1' },
        { role: 'developer', content: 's2' },
        user('a'),
        assistant('b'),
        { role: 'system', content: 's3' },
      ],
    },
    {
      system: [{ text: 's1' }, { text: 's2' }],
      messages: [{ role: 'user' }, { role: 'assistant' }, { role: 'user', content: [textBlock('s3')] }],
    },
  ],
  [
    verifies('L3:RQ9', 'O→A: allowed tools in mode auto: the others are left out'),
    { ...toolsAllowed('auto', 'b'), messages: [user('go')] },
    { tools: [{ name: 'b' }], tool_choice: { type: 'auto' } },
  ],
  [
    verifies('L3:RQ9', 'O→A: allowed tools in mode required: one of them must be called'),
    { ...toolsAllowed('required', 'b'), messages: [user('go')] },
    { tools: [{ name: 'b' }], tool_choice: { type: 'any' } },
  ],
  [
    verifies('L3:RQ9', 'O→A: allowed tools that are unknown keep all'),
    { ...toolsAllowed('auto', 'z'), messages: [user('go')] },
    { tools: [{ name: 'a' }, { name: 'b' }], tool_choice: { type: 'auto' } },
  ],
  [
    verifies('L3:RQ13', 'O→A: constraints of a strict schema move into the description'),
    {
      tools: [
        chatTool('read', {
          strict: true,
          parameters: { type: 'object', properties: { n: { type: 'integer', maximum: 9 } }, required: ['n'], additionalProperties: false },
        }),
      ],
      messages: [user('go')],
    },
    { tools: [{ input_schema: { properties: { n: { type: 'integer', description: expect.stringContaining('9') } } } }] },
  ],
  [
    verifies('L3:RQ25', 'O→A: images by data and by address keep their kind'),
    {
      messages: [
        user(
          ['data:image/png;base64,iVBORw0KGgo=', 'data:image/webp;base64,UklGRgAAAABXRUJQ', 'https://example.com/a.png'].map((url) => ({
            ...{ type: 'image_url', image_url: { url } },
          })),
        ),
      ],
    },
    {
      messages: [
        {
          content: [
            { source: { type: 'base64', media_type: 'image/png', data: 'iVBORw0KGgo=' } },
            { source: { type: 'base64', media_type: 'image/webp', data: 'UklGRgAAAABXRUJQ' } },
            { source: { type: 'url', url: 'https://example.com/a.png' } },
          ],
        },
      ],
    },
  ],
  [
    verifies('L3:RQ28', 'O→A: thinking beats a forced choice'),
    {
      ...{ reasoning_effort: 'high', max_completion_tokens: 20_000, tools: TOOLS.O('a', 'b'), messages: [user('go')] },
      tool_choice: { type: 'function', function: { name: 'b' } },
    },
    {
      tools: [{ name: 'b' }],
      tool_choice: { type: 'auto' },
      thinking: expect.objectContaining({ type: expect.stringMatching(/enabled|adaptive/) }),
    },
  ],
];

function toolsAllowed(mode: string, ...names: string[]): Fields {
  const tools = names.map((name) => ({ type: 'function', function: { name } }));
  return { tools: TOOLS.O('a', 'b'), tool_choice: { type: 'allowed_tools', allowed_tools: { mode, tools } } };
}

/** *A→O*: what a Messages request becomes for OpenAI. */
const TO_CHAT: readonly [title: string, body: Fields, sent: Fields][] = [
  [
    verifies('L3:RQ11', 'A→O: one call at a time'),
    { tools: TOOLS.A('a'), tool_choice: { type: 'auto', disable_parallel_tool_use: true }, messages: [user('go')] },
    { parallel_tool_calls: false },
  ],
  [
    verifies('L3:RQ12', 'A→O: any tool'),
    { tools: TOOLS.A('a'), tool_choice: { type: 'any' }, messages: [user('go')] },
    { tool_choice: 'required' },
  ],
  [
    verifies('L3:RQ17', 'A→O: a result behind a text goes before it'),
    { tools: [messagesTool()], messages: [user('go'), assistant([use('c1')]), user([textBlock('and now'), used('c1', 'done')])] },
    { messages: [{}, {}, { role: 'tool', tool_call_id: 'c1' }, { role: 'user' }] },
  ],
  [
    verifies('L3:RQ18', 'A→O: results around a text stand directly after the calls'),
    {
      tools: [messagesTool()],
      messages: [user('go'), assistant([use('c1'), use('c2')]), user([used('c2', 'two'), textBlock('and now'), used('c1', 'one')])],
    },
    { messages: [{}, {}, { role: 'tool' }, { role: 'tool' }, { role: 'user' }] },
  ],
  [
    verifies('L3:RQ19', 'A→O: the image of a result goes to the user, behind all results'),
    {
      tools: [messagesTool()],
      messages: [
        user('go'),
        assistant([use('c1'), use('c2')]),
        user([
          used('c1', [textBlock('seen'), { type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'iVBORw0KGgo=' } }]),
          used('c2', 'two'),
        ]),
      ],
    },
    {
      messages: [
        ...[{}, {}, { role: 'tool', tool_call_id: 'c1' }, { role: 'tool', tool_call_id: 'c2' }],
        {
          role: 'user',
          content: expect.arrayContaining([{ type: 'image_url', image_url: { url: 'data:image/png;base64,iVBORw0KGgo=' } }]),
        },
      ],
    },
  ],
  [
    verifies('L3:RQ20', 'A→O: the content of a result may be missing, empty, a text or blocks'),
    {
      tools: [messagesTool()],
      messages: [
        user('go'),
        assistant(['c1', 'c2', 'c3', 'c4'].map((id) => use(id))),
        user([used('c1'), used('c2', []), used('c3', 'text'), used('c4', [textBlock('a'), textBlock('b')])]),
      ],
    },
    { messages: [{}, {}, { content: '' }, { content: '' }, { content: 'text' }, { content: expect.stringMatching(/^a\s?b$/) }] },
  ],
  [
    verifies('L3:RQ22', 'A→O: thoughts of a history are dropped'),
    {
      messages: [user('a'), assistant([{ type: 'thinking', thinking: 'hm', signature: 's' }, textBlock('b')]), user('c')],
    },
    { messages: [{}, { role: 'assistant', content: 'b' }, {}] },
  ],
  [
    verifies('L3:RQ23', 'A→O: a tool of type custom or of none is a function'),
    { tools: [messagesTool('a'), messagesTool('b', { type: 'custom' })], messages: [user('go')] },
    { tools: ['a', 'b'].map((name) => ({ type: 'function', function: { name, parameters: SCHEMA } })) },
  ],
  [
    verifies('L3:RQ24', 'A→O: stop sequences and the user are carried, top_k is dropped'),
    { stop_sequences: ['END'], metadata: { user_id: 'u1' }, top_k: 5, messages: [user('go')] },
    { stop: ['END'], user: 'u1' },
  ],
  [
    verifies('L3:RQ27', 'A→O: a system message stays in place'),
    { system: 's1', messages: [user('a'), { role: 'system', content: 's2' }, assistant('b'), user('c')] },
    { messages: [{ role: 'system' }, { role: 'user' }, { role: 'system', content: 's2' }, { role: 'assistant' }, { role: 'user' }] },
  ],
];

test.each(ALL)(
  verifies('L3:argument-forms', '%s: arguments of an earlier call are the same as an object and as text'),
  async (direction) => {
    const args = { path: 'a', deep: { n: [1, 'x'] } };
    const forms = [args, JSON.stringify(args)].map((form) =>
      callerOf(direction) === 'O'
        ? {
            tools: [chatTool()],
            messages: [user('go'), assistant(null, { tool_calls: [call('c1', 'read', form as string)] }), result('c1')],
          }
        : { tools: [messagesTool()], messages: [user('go'), assistant([use('c1', 'read', form)]), user([used('c1', 'done')])] },
    );
    for (const form of forms) {
      const { messages } = await sentBy(direction, form);
      const sent = (messages as { tool_calls?: { function: { arguments: unknown } }[]; content: { input?: unknown }[] }[])[1];
      if (upstreamOf(direction) === 'A') expect(sent?.content[0]?.input).toEqual(args);
      else expect(sent?.tool_calls?.[0]?.function.arguments).toBe(JSON.stringify(args));
    }
  },
);

describe('requests', () => {
  test.each(TO_MESSAGES)('%s', async (_title, body, sent) => {
    expect(await sentBy('O→A', body)).toMatchObject(sent);
  });

  test.each(TO_CHAT)('%s', async (_title, body, sent) => {
    expect(await sentBy('A→O', body)).toMatchObject(sent);
  });

  test(verifies('L3:RQ24', 'A→O: what OpenAI does not know is not sent'), async () => {
    expect(await sentBy('A→O', { top_k: 5, messages: [user('go')] })).not.toHaveProperty('top_k');
  });

  test(verifies('L3:RQ25', 'O→A: a bad data URL is refused by its place'), async () => {
    const messages = [user([{ type: 'image_url', image_url: { url: 'data:image/png;nonsense' } }])];
    const { answer } = await ask('O→A', { messages });
    expect([answer.status, answer.json<{ error: { param: string } }>().error.param]).toEqual([
      400,
      expect.stringContaining('messages[0].content[0]'),
    ]);
  });

  test(verifies('L3:RQ21', 'O→A: of five cache marks four are sent'), async () => {
    const marked = ['a', 'b', 'c', 'd', 'e'].map((text) => ({ ...textBlock(text), cache_control: { type: 'ephemeral' } }));
    const { text } = await ask('O→A', { messages: [user(marked)] });
    expect(text.match(/cache_control/g)).toHaveLength(4);
  });

  test(verifies('L3:RQ28', 'A→A: thinking and a forced choice go through unchanged'), async () => {
    const body = {
      ...{ tools: TOOLS.A('a'), tool_choice: { type: 'tool', name: 'a' }, max_tokens: 4_000 },
      ...{ thinking: { type: 'enabled', budget_tokens: 2_000 }, messages: [user('go')] },
    };
    expect(await sentBy('A→A', body)).toMatchObject(body);
  });

  test(verifies('L3:RQ23', 'A→O: tools that the vendor hosts are left out, and named'), async () => {
    const { answer, sent } = await ask('A→O', {
      ...{ tools: [messagesTool('a'), { type: 'web_search_20250305', name: 'web_search' }], messages: [user('go')] },
    });
    expect([sent.tools, answer.headers.get('x-codelab-notes')]).toMatchObject([[{}], expect.stringContaining('web_search')]);
  });
});

describe('tool names', () => {
  const LONG = `mcp__${'server_with_a_long_name_'.repeat(4)}tool`.slice(0, 90);

  test.each(ALL)(verifies('L3:RQ14', '%s: a name with a dot is legal upstream, and itself again in the answer'), async (direction) => {
    const side = callerOf(direction);
    const choice = side === 'O' ? { type: 'function', function: { name: 'git.diff' } } : { type: 'tool', name: 'git.diff' };
    const history =
      side === 'O'
        ? [user('go'), assistant(null, { tool_calls: [call('c1', 'git.diff', '{}')] }), result('c1')]
        : [user('go'), assistant([use('c1', 'git.diff')]), user([used('c1', 'done')])];
    answersTool = 'git.diff';
    const { answer, sent, text } = await ask(direction, { tools: TOOLS[side]('git.diff'), tool_choice: choice, messages: history });
    answersTool = undefined;
    expect(toolNames(sent as unknown as ChatRequest)[0]).toMatch(/^[a-zA-Z0-9_-]{1,64}$/);
    expect(text).not.toContain('git.diff');
    expect(answer.text).toContain('"git.diff"');
  });

  test.each(ALL)(verifies('L3:RQ15', '%s: a name of 90 characters becomes 55 and a hash, the same every time'), async (direction) => {
    const tools = TOOLS[callerOf(direction)](LONG);
    const [one, other] = [
      await sentBy(direction, { tools, messages: [user('go')] }),
      await sentBy(direction, { tools, messages: [user('go')] }),
    ];
    const [name] = toolNames(one as unknown as ChatRequest);
    expect(name).toMatch(/^.{55}_[0-9a-f]{8}$/);
    expect(toolNames(other as unknown as ChatRequest)).toEqual([name]);
  });

  test.each(ALL)(verifies('L3:RQ16', '%s: a blank name is refused in a declaration and replaced in a history'), async (direction) => {
    const side = callerOf(direction);
    const refused = await ask(direction, { tools: TOOLS[side](' '), messages: [user('go')] });
    expect([refused.answer.status, refused.answer.text]).toEqual([400, expect.stringContaining('tools')]);
    const messages =
      side === 'O'
        ? [user('go'), assistant(null, { tool_calls: [call('c1', ' ', '{}')] }), result('c1')]
        : [user('go'), assistant([use('c1', ' ')]), user([used('c1', 'done')])];
    const { answer, text } = await ask(direction, { tools: TOOLS[side]('read'), messages });
    expect([answer.status, text.includes('"name":" "')]).toEqual([200, false]);
  });

  test.each(ALL)(verifies('L3:RQ10', '%s: a choice of an undeclared tool is refused'), async (direction) => {
    const side = callerOf(direction);
    const tool_choice = side === 'O' ? { type: 'function', function: { name: 'z' } } : { type: 'tool', name: 'z' };
    const { answer } = await ask(direction, { tools: TOOLS[side]('a'), tool_choice, messages: [user('go')] });
    expect([answer.status, answer.text]).toEqual([400, expect.stringContaining('tool_choice')]);
  });
});

describe('results without a call', () => {
  const orphan = (side: Side, content: string): Fields =>
    side === 'O'
      ? { tools: [chatTool()], messages: [user('go'), result('nobody', content), user('on')] }
      : { tools: [messagesTool()], messages: [user('go'), assistant('hm'), user([used('nobody', content), textBlock('on')])] };

  test.each(ALL)(verifies('L3:RQ6', '%s: strict, it is refused'), async (direction) => {
    const { answer } = await ask(direction, orphan(callerOf(direction), 'lost'));
    expect([answer.status, answer.json<{ error: { type: string } }>().error.type]).toEqual([400, 'invalid_request_error']);
  });

  test.each(ALL)(verifies('L3:RQ6', '%s: lenient, it is text of the user'), async (direction) => {
    const { answer, text } = await ask(direction, orphan(callerOf(direction), 'lost'), lenient);
    expect(answer.status).toBe(200);
    expect(text).toContain('Tool result: lost');
    expect(text).not.toMatch(/nobody|"tool_result"|"role":\s*"tool"/);
  });

  test(verifies('L3:RQ7', 'O→A: lenient, an empty one makes no empty turn'), async () => {
    const sent = await sentBy('O→A', { messages: [user('a'), assistant('b'), result('nobody', ''), user('c')] }, lenient);
    expect(sent.messages).toMatchObject([{ role: 'user' }, { role: 'assistant' }, { role: 'user', content: [textBlock('c')] }]);
  });
});

describe('arguments', () => {
  const ODD = '{"z": 12345678901234567890, "a": 1.0, "z2": "\\u00e9\\/"}';

  test.each(ALL)(verifies('L3:RQ26', '%s: a megabyte of arguments, long integers and the order of keys go through'), async (direction) => {
    const megabyte = JSON.stringify({ text: 'x'.repeat(1_000_000) });
    for (const args of [ODD, megabyte]) {
      const body =
        callerOf(direction) === 'O'
          ? JSON.stringify({ ...historyOf('O', args), model: strict.model(upstreamOf(direction)) })
          : JSON.stringify({ ...historyOf('A', undefined), model: strict.model(upstreamOf(direction)), max_tokens: 9 }).replace(
              '"input":{}',
              `"input":${args}`,
            );
      const before = provider.requests.length;
      expect((await strict.proxy.ask(PATHS[callerOf(direction)], body)).status).toBe(200);
      const { text, body: sent } = provider.requests[before]!;
      const calls = (sent.messages[1] as unknown as { tool_calls: { function: { arguments: string } }[] }).tool_calls;
      if (upstreamOf(direction) === 'O') expect(calls[0]!.function.arguments).toBe(args);
      else expect(text).toContain(`"input":${args}`);
    }
  });
});
