import { expect, test } from 'vitest';
import { verifies } from '@codelab/testkit';
import { encodeRequest } from '../dialects/messages/request/encode-request.js';
import { estimateTokens } from './estimate-tokens.js';
import type { Message, ModelRequest, Part } from './message.js';
import { placeCacheMarks } from './cache-marks.js';
import { WholeCharacters } from '../stream/whole-characters.js';

const LONG = 'read this. '.repeat(500);
const message = (role: Message['role'], ...parts: (Part | string)[]): Message => ({
  role,
  parts: parts.map((part) => (typeof part === 'string' ? { kind: 'text', text: part } : part)),
});
const call = (id: string): Part => ({ kind: 'tool_call', id, name: 'read', arguments: '{}' });
const result = (id: string) => message('tool', { kind: 'tool_result', id, content: 'x', isError: false });
const tool = (name: string) => ({ name, description: '', parameters: { type: 'object' } });

const CONVERSATION: ModelRequest = {
  model: 'claude-sonnet-4-5',
  tools: [tool('read'), tool('write')],
  messages: [
    message('system', LONG),
    message('system', 'be good', ''),
    message('user', 'one'),
    message('assistant', call('a'), call('b')),
    ...[result('a'), result('b')],
    message('assistant', { kind: 'thinking', text: 'hm', signature: 's' }, call('c')),
    ...[result('c'), message('user', 'and?')],
  ],
};

const marksOf = ({ tools, messages }: ModelRequest) => [
  ...tools.flatMap(({ cache }, place) => (cache ? [`tool ${place}`] : [])),
  ...messages.flatMap(({ parts }, place) => parts.flatMap((part, at) => ('cache' in part && part.cache ? [`message ${place}.${at}`] : []))),
];

test(verifies('L3:cache-marks', 'the last tool, the end of the system prompt, and the ends of the last two turns'), () => {
  expect(marksOf(placeCacheMarks(CONVERSATION))).toEqual(['tool 1', 'message 1.0', 'message 5.0', 'message 8.0']);
  expect(encodeRequest(placeCacheMarks(CONVERSATION)).text.match(/cache_control/g)).toHaveLength(4);
});

test(verifies('L3:cache-marks', 'the next request has a mark where this one had its last'), () => {
  const { messages } = CONVERSATION;
  const next = { ...CONVERSATION, messages: [...messages, message('assistant', call('d')), result('d')] };
  expect(marksOf(placeCacheMarks(next))).toEqual(['tool 1', 'message 1.0', 'message 8.0', 'message 10.0']);
});

test(verifies('L3:cache-marks', 'a short conversation has none, and one that has some keeps those'), () => {
  const short = { ...CONVERSATION, messages: CONVERSATION.messages.slice(1) };
  expect(placeCacheMarks(short)).toBe(short);
  const marked = placeCacheMarks(CONVERSATION);
  expect(placeCacheMarks(marked)).toBe(marked);
});

test('without tools and system prompt only the turns are marked', () => {
  const bare: ModelRequest = { model: 'm', tools: [], messages: [message('user', LONG)] };
  expect(marksOf(placeCacheMarks(bare))).toEqual(['message 0.0']);
});

const estimate = (...messages: Message[]) => estimateTokens({ model: 'm', tools: [], messages });

test.each([
  ['English prose', 'The quick brown fox jumps over the lazy dog. '.repeat(100), 1_000],
  ['Korean', '한국어로 쓴 문장입니다. '.repeat(100), 1_200],
  ['Chinese', '这是一个用中文写的句子。'.repeat(100), 1_200],
])(verifies('L3:estimate-tokens', '%s is within a quarter of what tokenizers count'), (_what, text, about) => {
  expect(estimate(message('user', text)) / about).toBeGreaterThan(0.75);
  expect(estimate(message('user', text)) / about).toBeLessThan(1.25);
});

test(verifies('L3:estimate-tokens', 'calls, results, thoughts, images and tools count'), () => {
  const empty = estimate(message('user'));
  const image: Part = { kind: 'image', source: { kind: 'base64', mediaType: 'image/png', data: 'A'.repeat(1_000_000) } };
  expect(estimate(message('user', image)) - empty).toBe(1_600);
  expect(estimate(message('assistant', { ...call('a'), arguments: LONG } as Part))).toBeGreaterThan(1_000);
  expect(estimate(message('tool', { kind: 'tool_result', id: 'a', content: LONG, isError: false, images: [image] }))).toBeGreaterThan(
    2_600,
  );
  expect(estimate(message('assistant', { kind: 'thinking', text: LONG }, { kind: 'redacted_thinking', data: LONG }))).toBeGreaterThan(
    2_000,
  );
  const editor = { ...tool('edit'), vendor: { type: 'text_editor_20250728' } };
  const withTool = (declared: ModelRequest['tools']) => estimateTokens({ model: 'm', messages: [], tools: declared });
  expect(withTool([])).toBe(0);
  expect(withTool([editor])).toBeGreaterThan(withTool([tool('edit')]));
});

test('halves of characters are joined, and one that stays alone is given at the end', () => {
  const characters = new WholeCharacters();
  expect(['a\ud83d', '', '\ude42b', '\ud83d'].map((piece) => characters.add(piece))).toEqual(['a', '', '🙂b', '']);
  expect([characters.end(), characters.end()]).toEqual(['\ud83d', '']);
});
