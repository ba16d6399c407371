import { expect, test } from 'vitest';
import { pathInWorkspace } from './path-in-workspace.js';
import { readPrompt } from './prompt-content.js';

const place = { toWorkspacePath: (uri: string) => pathInWorkspace(uri, '/ws') };
const link = (uri: string) => readPrompt([{ type: 'resource_link', name: 'it', uri }], place).text;

test.each([
  ['file:///ws/src/a.ts', '@src/a.ts'],
  ['/ws/src/a.ts', '@src/a.ts'],
  ['file:///ws/src/a.ts#L10', '@src/a.ts:10'],
  ['file:///ws/src/a.ts#L10-L20', '@src/a.ts:10-20'],
  ['file:///ws/src/a.ts#L10:20', '@src/a.ts:10-20'],
  ['file:///ws/with%20blank.ts#L3-3', '@"with blank.ts":3'],
  ['file:///ws', '[it](file:///ws)'],
  ['file:///ws-evil/a.ts', '[it](file:///ws-evil/a.ts)'],
  ['file:///ws/../etc/passwd', '[it](file:///ws/../etc/passwd)'],
  ['file:///ws/%2e%2e/etc/passwd', '[it](file:///ws/%2e%2e/etc/passwd)'],
  ['file://host/ws/a.ts', '[it](file://host/ws/a.ts)'],
  ['file:///ws/a%2fb', '[it](file:///ws/a%2fb)'],
  ['zed:///agent/thread/1', '[it](zed:///agent/thread/1)'],
])('%s is read as %s', (uri, text) => expect(link(uri)).toBe(text));

test('an embedded text is attached as it stands, once, by its path and lines', () => {
  const resource = { uri: 'file:///ws/a.ts#L2-4', text: 'typed' };
  const block = { type: 'resource' as const, resource };
  expect(readPrompt([{ type: 'text', text: 'See ' }, block, block], place)).toEqual({
    text: 'See [a.ts:2-4] [a.ts:2-4]',
    attachments: [{ path: 'a.ts', lines: '2-4', content: 'typed' }],
  });
});

test('what an editor embeds from elsewhere goes by its name', () => {
  const block = { type: 'resource' as const, resource: { uri: 'https://example.com/docs/guide%20one.md?x=1', text: 'Guide' } };
  expect(readPrompt([block], place)).toEqual({
    text: '[guide one.md]',
    attachments: [{ path: 'guide one.md', lines: undefined, content: 'Guide' }],
  });
});

test('a mention is a word of its own, whatever stands beside it', () => {
  const words = (text: string) => ({ type: 'text' as const, text });
  const file = { type: 'resource_link' as const, name: 'a.ts', uri: 'file:///ws/a.ts' };
  expect(readPrompt([words('see'), file, words('and'), file, file, words(' now')], place).text).toBe('see @a.ts and @a.ts @a.ts now');
  expect(readPrompt([words('one '), words('two')], place).text).toBe('one two');
});

test('an embedded file that looks like a secret is a mention, so that it goes only where the human says so', () => {
  const block = { type: 'resource' as const, resource: { uri: 'file:///ws/.env', text: 'KEY=1' } };
  expect(readPrompt([{ type: 'text', text: 'look ' }, block], place)).toEqual({ text: 'look @.env', attachments: [] });
});
