import { describe, expect, test } from 'vitest';
import fc from 'fast-check';
import { verifies } from '@codelab/testkit';
import { ApiError } from '../../../errors/api-error.js';
import type { Quirks } from '../../../quirks.js';
import { MUST_CALL } from '../request/choose-tools.js';
import { prepareRelay } from './prepare-relay.js';

const prepare = (raw: string, quirks: Quirks = {}, to: { model?: string; stream?: boolean } = {}) =>
  prepareRelay(raw, JSON.parse(raw), { model: 'm', quirks, stream: false, ...to });
const sent = (body: object, quirks: Quirks = {}, to: { stream?: boolean } = {}) =>
  JSON.parse(prepare(JSON.stringify({ model: 'm', messages: [], ...body }), quirks, to).text) as Record<string, unknown>;
const tool = (name: string) => ({ type: 'function', function: { name } });
const call = (id: string, name = 'read', args: unknown = '{}') => ({ id, type: 'function', function: { name, arguments: args } });

describe('what needs no change keeps every byte', () => {
  const odd = `{ "messages" : [ {"content":"\\u00e9 \\"model\\" 한글","role":"user"} ],\n\t"seed":12345678901234567890, "model" : "x/y" ,"z":1e400,"2":0 }`;

  test(verifies('L3:chat-relay', 'but the model'), () => {
    expect(prepare(odd).text).toBe(odd.replace('"x/y"', '"m"'));
    expect(prepare(odd, {}, { model: 'x/y' }).text).toBe(odd);
    expect(prepare(odd, {}, { model: 'x/y' }).names).toBeUndefined();
  });

  test('wherever the model stands, however often, and in whatever way it is written', () => {
    expect(prepare('{"model":"a","n":1,"model":"b"}').text).toBe('{"model":"m","n":1,"model":"m"}');
    expect(prepare('{"mod\\u0065l":"a","model":"b"}').text).toBe('{"mod\\u0065l":"m","model":"m"}');
    expect(prepare('{"user":"model","model":"a\\"b"}').text).toBe('{"user":"model","model":"m"}');
    expect(prepare('{"metadata":{"model":"x"},"model":null}').text).toBe('{"metadata":{"model":"x"},"model":"m"}');
    expect(prepare('{"n":1}').text).toBe('{"n":1,"model":"m"}');
    expect(prepare('{ }').text).toBe('{ "model":"m"}');
  });

  test('whatever stands around it', () => {
    const members = fc.dictionary(fc.string(), fc.jsonValue(), { maxKeys: 5 });
    fc.assert(
      fc.property(members, fc.string(), fc.constantFrom(0, 2), fc.boolean(), (others, model, blanks, first) => {
        const { model: _, stream_options: __, messages: ___, tools: ____, ...rest } = others;
        const body = first ? { model, ...rest } : { ...rest, model };
        const changed = JSON.parse(prepare(JSON.stringify(body, null, blanks)).text) as unknown;
        expect(changed).toEqual(JSON.parse(JSON.stringify({ ...body, model: 'm' })));
      }),
      { numRuns: 100 },
    );
  });

  test(verifies('L3:RQ26', 'a megabyte of arguments, long integers and odd keys go on as they are'), () => {
    const args = JSON.stringify(`{ "n": 12345678901234567890, "b":1, "2":0, "a": "${'x'.repeat(1_000_000)}" }`);
    const raw = `{"model":"x","messages":[{"role":"assistant","tool_calls":[{"id":"a","type":"function","function":{"name":"git.diff","arguments":${args}}}]}]}`;
    expect(prepare(raw).text).toBe(raw.replace('"x"', '"m"').replace('git.diff', 'git_diff'));
  });
});

test(verifies('L3:chat-extensions', 'our extension fields are sent to nobody'), () => {
  const ours = { use_vscode_tools: true, use_ide_tools: true, tool_execution: 'none', max_tool_rounds: 3, session_id: 's', thinking: true };
  expect(sent({ ...ours, thinking_budget: 1 })).toEqual({ model: 'm', messages: [], thinking_budget: 1 });
});

test.each<[object, boolean, Quirks, unknown]>([
  [{}, true, {}, { include_usage: true }],
  [{}, false, {}, undefined],
  [{ stream_options: null }, true, {}, { include_usage: true }],
  [{ stream_options: { include_usage: false, x: 1 } }, true, {}, { include_usage: true, x: 1 }],
  [{ stream_options: { include_usage: true } }, true, { no_stream_options: true }, undefined],
])(verifies('L3:F8', 'with %j, stream %j and the quirks %j usage is asked for by %j'), (body, stream, quirks, options) => {
  expect(sent(body, quirks, { stream }).stream_options).toEqual(options);
});

test('a request that asks for usage itself keeps every byte', () => {
  const raw = '{"model":"m", "stream":true, "stream_options": {"include_usage" : true} }';
  expect(prepare(raw, {}, { stream: true }).text).toBe(raw);
});

describe('tool names', () => {
  const body = {
    tools: [tool('git.diff'), tool('git_diff')],
    functions: [{ name: 'a b' }],
    tool_choice: tool('git.diff'),
    function_call: { name: 'a b' },
    messages: [
      { role: 'user', content: 'git.diff', name: 'git.diff' },
      { role: 'assistant', tool_calls: [call('a', 'git.diff'), call('b', '')] },
      { role: 'tool', tool_call_id: 'a', name: 'git.diff', content: 'git.diff' },
    ],
  };

  test(verifies('L3:RQ14', 'that are illegal are mapped wherever they stand, and nothing else is'), () => {
    const raw = JSON.stringify({ model: 'm', ...body });
    const { text, names } = prepare(raw);
    const wire = names?.toWire('git.diff') ?? '';
    expect(wire).toMatch(/^git_diff_[0-9a-f]{8}$/);
    const expected = JSON.parse(raw) as typeof body;
    expect(JSON.parse(text)).toMatchObject({
      tools: [tool(wire), tool('git_diff')],
      functions: [{ name: 'a_b' }],
      tool_choice: tool(wire),
      function_call: { name: 'a_b' },
      messages: [expected.messages[0], { tool_calls: [call('a', wire), call('b', 'unnamed_tool')] }, { name: wire, content: 'git.diff' }],
    });
    expect(names?.fromWire(wire)).toBe('git.diff');
  });

  test(verifies('L3:RQ15', 'that are too long for the server are cut'), () => {
    const { names } = prepare(JSON.stringify({ tools: [tool('x'.repeat(90))] }));
    expect(names?.toWire('x'.repeat(90))).toMatch(/^x{55}_[0-9a-f]{8}$/);
    expect(prepare(JSON.stringify({ tools: [tool('x'.repeat(60))] })).names).toBeUndefined();
    expect(prepare(JSON.stringify({ tools: [tool('x'.repeat(60))] }), { max_tool_name: 48 }).names?.toWire('x'.repeat(60))).toHaveLength(
      48,
    );
  });
});

test(verifies('L3:RQ6', 'a result of no call, which only a lenient proxy lets in, is text of the user behind the others'), () => {
  const messages = [
    { role: 'assistant', tool_calls: [call('a')] },
    { role: 'tool', tool_call_id: 'gone', content: [{ type: 'text', text: 'lost' }] },
    { role: 'tool', tool_call_id: 'empty', content: '' },
    { role: 'tool', tool_call_id: 'a', content: 'found' },
    { role: 'user', content: 'go on' },
  ];
  expect(sent({ messages }).messages).toEqual([messages[0], messages[3], { role: 'user', content: 'Tool result: lost' }, messages[4]]);
});

describe('quirks', () => {
  const tools = [tool('a'), tool('b')];
  const ollama: Quirks = { no_tool_choice: true, no_parallel_tool_calls: true, content_text: true, no_image_urls: true };

  test(verifies('L3:OL1', 'a call has arguments and an answer has a text'), () => {
    const messages = [
      { role: 'assistant', content: null, tool_calls: [call('a', 'x', ''), call('b', 'x', '{"n": 1}'), call('c', 'x', undefined)] },
      { role: 'assistant', content: 'y', tool_calls: [call('d')] },
      { role: 'assistant' },
      { role: 'user', content: null },
    ];
    expect(sent({ messages }, ollama).messages).toEqual([
      { role: 'assistant', content: '', tool_calls: [call('a', 'x'), call('b', 'x', '{"n": 1}'), call('c', 'x')] },
      messages[1],
      { role: 'assistant', content: '' },
      messages[3],
    ]);
    expect(sent({ messages }).messages).toEqual(JSON.parse(JSON.stringify(messages)));
  });

  test.each<[unknown, unknown]>([
    [undefined, tools],
    ['auto', tools],
    ['none', undefined],
    [tool('b'), [tool('b')]],
    [{ type: 'allowed_tools', allowed_tools: { mode: 'auto', tools: [tool('a')] } }, [tool('a')]],
  ])(verifies('L3:OL2', 'with the choice %j a server that has no such field gets the tools %j'), (tool_choice, expected) => {
    const body = sent({ tools, tool_choice }, ollama);
    expect(body.tools).toEqual(expected);
    expect(body).not.toHaveProperty('tool_choice');
  });

  test('what cannot be enforced is said to the model, and told', () => {
    const raw = JSON.stringify({ messages: [{ role: 'system', content: 's' }, { role: 'user', content: 'u' }], tools, tool_choice: 'required', parallel_tool_calls: false }); // oxfmt-ignore
    const { text, onlyFirstCall, unenforced } = prepare(raw, ollama);
    expect(JSON.parse(text)).toMatchObject({
      messages: [{ content: 's' }, { role: 'system', content: MUST_CALL }, { content: 'u' }],
      tools,
    });
    expect({ onlyFirstCall, unenforced }).toEqual({ onlyFirstCall: true, unenforced: ['parallel_tool_calls', 'tool_choice'] });
    expect(JSON.parse(text)).not.toHaveProperty('parallel_tool_calls');
    expect(prepare(JSON.stringify({ parallel_tool_calls: true }), ollama).onlyFirstCall).toBe(false);
  });

  test(verifies('L3:OL2', 'an image by URL is refused with the reason'), () => {
    const image = (url: string) => ({ messages: [{ role: 'user', content: [{ type: 'image_url', image_url: { url } }] }] });
    expect(() => sent(image('https://x/y.png'), ollama)).toThrow(ApiError);
    expect(() => sent(image('https://x/y.png'), ollama)).toThrow(/^messages\[0\]\.content\[0\]\.image_url: .* data URLs/);
    expect(() => sent(image('data:image/png;base64,AAAA'), ollama)).not.toThrow();
  });

  test('ids of calls have the form that the server takes, in calls and results alike', () => {
    const messages = [
      { role: 'assistant', tool_calls: [call('call_abc'), call('abcDEF123')] },
      { role: 'tool', tool_call_id: 'call_abc', content: 'x' },
    ];
    const [first, second] = sent({ messages }, { tool_call_ids: 'alphanumeric9' }).messages as [
      { tool_calls: { id: string }[] },
      { tool_call_id: string },
    ];
    expect(first.tool_calls.map(({ id }) => id)).toEqual([expect.stringMatching(/^[0-9a-z]{9}$/), 'abcDEF123']);
    expect(second.tool_call_id).toBe(first.tool_calls[0]?.id);
  });

  test.each<[Quirks, object, object]>([
    [{ max_tokens_field: 'max_tokens' }, { max_completion_tokens: 5 }, { max_tokens: 5 }],
    [{ max_tokens_field: 'max_completion_tokens' }, { max_tokens: 5 }, { max_completion_tokens: 5 }],
    [{ max_tokens_field: 'max_tokens' }, { max_tokens: 4, max_completion_tokens: 5 }, { max_tokens: 4 }],
    [{}, { max_completion_tokens: 5 }, { max_completion_tokens: 5 }],
  ])('with %j the limit %j is %j', (quirks, given, expected) => {
    expect(sent(given, quirks)).toEqual({ model: 'm', messages: [], ...expected });
  });
});
