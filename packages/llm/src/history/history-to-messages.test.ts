import { describe, expect, test } from 'vitest';
import { verifies } from '@codelab/testkit';
import type { AssistantItem, HistoryItem, ToolItem } from './history-item.js';
import { historyToMessages, NOTE_PREFIX } from './history-to-messages.js';
import type { Message, Part } from '../canonical/message.js';
import { encodeRequest as encodeMessages } from '../dialects/messages/request/encode-request.js';
import { closeOrphans } from '../canonical/close-orphans.js';
import { encodeRequest } from '../dialects/chat/request/encode-request.js';
import type { Quirks } from '../quirks.js';

const toModelName = (name: string) => name.replace('.', '_');
const user = (content: string): HistoryItem => ({ role: 'user', turn_id: 't', message_id: 'm', content, at_ms: 1 });
const assistant = (content: string, ...ids: string[]): AssistantItem => ({
  role: 'assistant',
  turn_id: 't',
  message_id: 'm',
  content,
  tool_calls: ids.map((id) => ({ call_id: id, tool_name: 'git.diff', arguments: `{"of":"${id}"}`, provider_id: '' })),
  at_ms: 1,
});
const result = (id: string, content: string, more: Partial<ToolItem> = {}): ToolItem => ({
  role: 'tool',
  turn_id: 't',
  call_id: id,
  tool_name: 'git.diff',
  content,
  is_error: false,
  at_ms: 1,
  ...more,
});
const text = (text: string): Part => ({ kind: 'text', text });
const call = (id: string, args = `{"of":"${id}"}`): Part => ({ kind: 'tool_call', id, name: 'git_diff', arguments: args });
const answered = (id: string, content: string, isError = false): Message => ({
  role: 'tool',
  parts: [{ kind: 'tool_result', id, content, isError }],
});

test('names become the model’s, ids are ours where the provider gave none, text and calls stand in one message', () => {
  expect(historyToMessages([user('hi'), assistant('looking', 'call_a'), result('call_a', '{}'), assistant('done')], toModelName)).toEqual([
    { role: 'user', parts: [text('hi')] },
    { role: 'assistant', parts: [text('looking'), call('call_a')] },
    answered('call_a', '{}'),
    { role: 'assistant', parts: [text('done')] },
  ]);
});

test(
  verifies('R5:orphans', 'a call without a result gets one that says its outcome is unknown; a result without a call is left out'),
  () => {
    const messages = historyToMessages([result('gone', '{}'), assistant('', 'a', 'b'), result('b', '{}'), user('next')], toModelName);
    expect(messages).toEqual([
      { role: 'assistant', parts: [call('a'), call('b')] },
      answered('a', expect.stringMatching(/^Error \[OUTCOME_UNKNOWN\]: /) as unknown as string, true),
      answered('b', '{}'),
      { role: 'user', parts: [text('next')] },
    ]);
  },
);

test(verifies('R5:order', 'results stand right after their calls, in the order of the calls, wherever they came'), () => {
  const messages = historyToMessages([assistant('', 'a', 'b'), result('b', '2'), user('meanwhile'), result('a', '1')], toModelName);
  expect(messages.slice(1)).toEqual([answered('a', '1'), answered('b', '2'), { role: 'user', parts: [text('meanwhile')] }]);
});

test('of two results the last counts, and a second use of an id is left out', () => {
  const messages = historyToMessages([assistant('', 'a'), result('a', '1'), result('a', '2'), assistant('again', 'a')], toModelName);
  expect(messages).toEqual([{ role: 'assistant', parts: [call('a')] }, answered('a', '2'), { role: 'assistant', parts: [text('again')] }]);
});

test('arguments that a human edited replace those of the model; others are carried to the letter', () => {
  const odd = '{ "b": 12345678901234567890, "a": "\\u0041" }';
  const item = { ...assistant('', 'a', 'b') };
  const items = [
    { ...item, tool_calls: item.tool_calls.map((use) => ({ ...use, arguments: odd })) },
    result('a', '', { edited_arguments: '{"x":1}' }),
  ];
  expect(historyToMessages(items, toModelName)[0]?.parts).toEqual([call('a', '{"x":1}'), call('b', odd)]);
});

test('an id that a provider would refuse gets another one, the same in call and result', () => {
  const id = `zu lang und böse ${'x'.repeat(60)}`;
  const [use, answer] = historyToMessages([assistant('', id), result(id, '')], toModelName);
  const part = use?.parts[0];
  expect(part?.kind === 'tool_call' && part.id).toMatch(/^[a-zA-Z0-9_-]{1,40}$/);
  expect(answer?.parts[0]).toMatchObject({ id: part?.kind === 'tool_call' && part.id });
});

const named = (providerIds: readonly (string | undefined)[], ...ids: string[]): HistoryItem => ({
  ...assistant('', ...ids),
  tool_calls: ids.map((id, place) => {
    const { provider_id: _, ...call } = assistant('', id).tool_calls[0]!;
    return { ...call, provider_id: providerIds[place] };
  }),
});
const idsOf = (messages: readonly Message[]) =>
  messages.map(({ parts }) => parts.flatMap((part) => (part.kind === 'tool_call' || part.kind === 'tool_result' ? [part.id] : [])));

describe('the ids of calls', () => {
  const results = (...ids: string[]) => ids.map((id) => result(id, '{}'));

  test(
    verifies('L3:own-call-ids', 'a provider gets its own back; ours where it gave none, or one twice in an answer, or where none was kept'),
    () => {
      const items = [
        ...[named(['functions.read:0', '', 'functions.read:0'], 'call_a', 'call_b', 'call_c'), ...results('call_a', 'call_b', 'call_c')],
        ...[named(['functions.read:0', undefined], 'call_d', 'call_e'), ...results('call_d', 'call_e')],
      ];
      const said = historyToMessages(items, toModelName);
      expect(idsOf(said)).toEqual([
        ...[['functions.read:0', 'call_b', 'call_c'], ['functions.read:0'], ['call_b'], ['call_c']],
        ...[['functions.read:0', 'call_e'], ['functions.read:0'], ['call_e']],
      ]);
      expect(closeOrphans({ model: 'm', messages: said, tools: [] }).messages).toBe(said);
    },
  );

  const long = `chatcmpl-tool-${'0123456789abcdef'.repeat(2)}`; // as vLLM gives them
  const items = [named([long, 'functions.read:1'], 'a', 'b'), ...results('a', 'b'), named([long], 'c'), ...results('c')];
  const messages = historyToMessages(items, toModelName);
  const chat = (quirks: Quirks) => {
    const { body } = encodeRequest({ model: 'm', messages, tools: [] }, { quirks });
    return body.messages.map((message) =>
      message.role === 'tool' ? [message.tool_call_id] : message.role === 'assistant' ? (message.tool_calls ?? []).map(({ id }) => id) : [],
    );
  };

  test(verifies('L3:own-call-ids', 'a compatible server gets its ids to the letter, at any length and again in another turn'), () => {
    expect(chat({ tool_call_ids: 'any' })).toEqual([[long, 'functions.read:1'], [long], ['functions.read:1'], [long], [long]]);
  });

  test.each<[string, Quirks, RegExp]>([
    ['OpenAI', {}, /^.{1,40}$/],
    ['Mistral', { tool_call_ids: 'alphanumeric9' }, /^[a-zA-Z0-9]{9}$/],
  ])(verifies('L3:own-call-ids', '%s gets ids of another provider in its own form, the same in call and result'), (_, quirks, form) => {
    const [[first, second] = [], ...rest] = chat(quirks);
    for (const id of [first, second]) expect(id).toMatch(form);
    expect(first).not.toBe(second);
    expect(rest).toEqual([[first], [second], [first], [first]]);
  });

  test(verifies('L3:own-call-ids', 'Anthropic gets legal ids, each once in a request'), () => {
    const { body } = encodeMessages({ model: 'm', messages, tools: [] });
    const blocks = body.messages.map(({ content }) => content as readonly { id?: string; tool_use_id?: string }[]);
    const ids = blocks.map((list) => list.flatMap(({ id, tool_use_id }) => id ?? tool_use_id ?? []));
    for (const id of ids.flat()) expect(id).toMatch(/^[a-zA-Z0-9_-]+$/);
    const [, asked, answered, again, last] = ids;
    expect([answered, last]).toEqual([asked, again]);
    expect(new Set([...(asked ?? []), ...(again ?? [])]).size).toBe(3);
    expect(asked?.[0]).toBe(long);
  });
});

test('notes and attachments are put before the model as text', () => {
  const attached: HistoryItem = {
    ...user('see'),
    role: 'user',
    attachments: [{ path: 'a.ts', lines: [1, 9] }, { path: 'b.ts' }],
  } as HistoryItem;
  expect(historyToMessages([attached, { role: 'note', content: 'late', at_ms: 1 }], toModelName)).toEqual([
    { role: 'user', parts: [text('see\n\nAttached files: a.ts (lines 1-9), b.ts')] },
    { role: 'user', parts: [text(`${NOTE_PREFIX}late`)] },
  ]);
});

test('what the client read of an attached file is put before the model with it', () => {
  const attached: HistoryItem = {
    ...user('see'),
    role: 'user',
    attachments: [{ path: 'a.ts', lines: '1-2', content: 'x\ny' }],
  } as HistoryItem;
  expect(historyToMessages([attached], toModelName)).toEqual([
    { role: 'user', parts: [text('see\n\nAttached files: a.ts (lines 1-2)\n\n<file name="a.ts (lines 1-2)">\nx\ny\n</file>')] },
  ]);
});

const png = (path: string, content = 'iVBORw0KGgo='): object => ({ path, media_type: 'image/png', content });
const withFiles = (content: string, ...attachments: object[]): HistoryItem => ({ ...user(content), attachments }) as HistoryItem;

test(verifies('L3:attached-images', 'an attached image reaches the model as an image, beside the text and its path'), () => {
  const [message] = historyToMessages([withFiles('see', png('a.png'), { path: 'b.ts', lines: '3', content: 'x' })], toModelName);
  expect(message?.parts).toEqual([
    text('see\n\nAttached files: a.png, b.ts (lines 3)\n\n<file name="b.ts (lines 3)">\nx\n</file>'),
    { kind: 'image', source: { kind: 'base64', mediaType: 'image/png', data: 'iVBORw0KGgo=' } },
  ]);
  const { body } = encodeRequest({ model: 'm', messages: [message!], tools: [] });
  expect(body.messages[0]?.content).toEqual([
    { type: 'text', text: expect.stringContaining('a.png') },
    { type: 'image_url', image_url: { url: 'data:image/png;base64,iVBORw0KGgo=' } },
  ]);
});

test('what is no image is never sent as one, and its bytes are not put into the text', () => {
  const bad = [png('a.png', '"><script>'), { ...png('b.svg'), media_type: 'image/svg+xml' }, { path: 'c.png', media_type: 'image/png' }];
  const [message] = historyToMessages([withFiles('see', ...bad)], toModelName);
  const shown = ['a.png', 'b.svg', 'c.png'].map((path) => `${path} (an image, not shown here)`).join(', ');
  expect(message?.parts).toEqual([text(`see\n\nAttached files: ${shown}`)]);
});

test(
  verifies(
    'L3:attached-bounded',
    'the latest images of a history are sent, so many and no more; a text that is too long is cut, and says so',
  ),
  () => {
    const items = Array.from({ length: 20 }, (_, index) => withFiles('see', png(`${String(index)}.png`)));
    const images = historyToMessages(items, toModelName).map(({ parts }) => parts.length - 1);
    expect(images).toEqual([...Array.from({ length: 4 }, () => 0), ...Array.from({ length: 16 }, () => 1)]);
    const large = (): object => png('x.png', 'A'.repeat(11 * 1024 * 1024));
    expect(historyToMessages([withFiles('old', large()), withFiles('new', large())], toModelName).map(({ parts }) => parts.length)).toEqual(
      [1, 2],
    );
    const [long] = historyToMessages([withFiles('see', { path: 'a', content: 'y'.repeat(300_000) })], toModelName);
    const [part] = long!.parts;
    expect(part?.kind === 'text' && part.text.length).toBeLessThan(263_000);
    expect(part).toMatchObject({ text: expect.stringContaining('cut: the file has 300000 characters') });
  },
);

test('an answer of nothing is no message', () => {
  expect(historyToMessages([assistant(' ')], toModelName)).toEqual([]);
});

test(
  verifies('L3:thoughts-back', 'in the turn that runs thoughts go back unchanged before their calls; those of older turns are left out'),
  () => {
    const thinking: AssistantItem['thinking'] = [
      { kind: 'thinking', text: 'first I look', signature: 'sig' },
      { kind: 'redacted_thinking', data: 'opaque' },
    ];
    const items: HistoryItem[] = [
      { ...assistant('old', 'call_a'), turn_id: 'before', thinking },
      { ...result('call_a', '{}'), turn_id: 'before' },
      user('go on'),
      { ...assistant('looking', 'call_b'), thinking },
      result('call_b', '{}'),
      { ...assistant('', 'call_c'), thinking },
      result('call_c', '{}'),
      { role: 'note', content: 'a note', at_ms: 1 },
    ];
    const said = historyToMessages(items, toModelName).filter(({ role }) => role === 'assistant');
    expect(said.map(({ parts }) => parts)).toEqual([
      [text('old'), call('call_a')],
      [...thinking, text('looking'), call('call_b')],
      [...thinking, call('call_c')],
    ]);
  },
);
