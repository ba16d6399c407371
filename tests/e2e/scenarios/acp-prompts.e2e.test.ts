import type { ContentBlock } from '@agentclientprotocol/sdk';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, test } from 'vitest';
import { verifies } from '@codelab/testkit';
import type { Plans } from '../use-chats.js';
import { useEditors } from '../use-editors.js';

const PLANS: Plans = { 'look at': [{ text: 'I see.' }] };
const editors = useEditors(PLANS, { 'notes.txt': 'zero\n', 'src/many lines.ts': 'first line\nsecond line\nthird line\n' });

const text = (words: string): ContentBlock => ({ type: 'text', text: words });
/** The smallest PNG: one pixel. */
const PIXEL = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';

const sent = (): string => JSON.stringify(editors.model.requests.at(-1)?.body);

test(
  verifies(
    'L3:acp-content',
    'links to files of the folder are read, embedded text goes as it stands, images go as images, and other links stay links',
  ),
  async () => {
    const { root } = editors.repository;
    const editor = await editors.edit();
    const { sessionId } = await editor.open();
    const uri = pathToFileURL(join(root, 'src/many lines.ts')).href;
    await editor.prompt(sessionId, [
      text('look at '),
      { type: 'resource_link', name: 'many lines.ts', uri: `${uri}#L2-3` },
      text(' and '),
      { type: 'resource', resource: { uri: pathToFileURL(join(root, 'notes.txt')).href, text: 'not saved yet' } },
      { type: 'resource_link', name: 'the issue', uri: 'https://example.com/issue/1' },
      { type: 'image', data: PIXEL, mimeType: 'image/png' },
    ]);
    expect(sent()).toContain('second line\\nthird line');
    expect(sent()).not.toContain('first line');
    expect(sent()).toContain('not saved yet');
    expect(sent()).toContain('[the issue](https://example.com/issue/1)');
    expect(sent()).toContain(`data:image/png;base64,${PIXEL}`);
  },
);

test(
  verifies(
    'W1:acp-links',
    'no link of a prompt leads out of the folder, and a file that looks like a secret goes only when it is said twice',
  ),
  async () => {
    const { root } = editors.repository;
    await writeFile(join(root, '.env'), 'KEY=hidden-value\n');
    const editor = await editors.edit();
    const { sessionId } = await editor.open();
    const outside: ContentBlock = { type: 'resource_link', name: 'passwd', uri: 'file:///etc/passwd' };
    await editor.prompt(sessionId, [text('look at '), outside, { type: 'resource_link', name: 'up', uri: `file://${root}/../x` }]);
    expect(sent()).not.toContain('root:');
    const secret = [text('look at '), { type: 'resource_link' as const, name: '.env', uri: pathToFileURL(join(root, '.env')).href }];
    await expect(editor.prompt(sessionId, secret)).rejects.toMatchObject({ message: expect.stringContaining('.env is not attached') });
    await editor.prompt(sessionId, secret);
    expect(sent()).toContain('hidden-value');
    await mkdir(join(root, 'empty'));
  },
);

test('what can’t be a message is refused with a sentence', async () => {
  const editor = await editors.edit();
  const { sessionId } = await editor.open();
  const refused = (...prompt: ContentBlock[]) => expect(editor.prompt(sessionId, prompt)).rejects;
  await refused({ type: 'audio', data: 'AAAA', mimeType: 'audio/wav' }).toMatchObject({
    code: -32602,
    message: expect.stringContaining('audio'),
  });
  await refused(text('look at'), { type: 'image', data: PIXEL, mimeType: 'image/tiff' }).toMatchObject({
    code: -32602,
    message: expect.stringContaining('image/tiff'),
  });
  await refused(text('  ')).toMatchObject({ code: -32602, message: expect.stringContaining('empty') });
  await refused(text(`look at ${'x'.repeat(10_001)}`)).toMatchObject({ code: -32602 });
});
