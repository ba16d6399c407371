import { expect, test } from 'vitest';
import { verifies } from '@codelab/testkit';
import { addEntry, removeEntry } from './edit-config.js';

const entry = { command: 'npx', args: ['-y', 'server'] };

test(verifies('G2:mcp-commands', 'a server is added to a file that is not there, and to one that has others'), () => {
  const first = addEntry(undefined, 'one', entry);
  expect(first).toEqual({ ok: true, text: `${JSON.stringify({ mcpServers: { one: entry } }, undefined, 2)}\n` });
  const text = JSON.stringify({ other: 1, mcpServers: { one: entry } });
  const second = addEntry(text, 'two', { type: 'http', url: 'https://example.com/mcp' });
  expect(JSON.parse((second as { text: string }).text)).toEqual({
    other: 1,
    mcpServers: { one: entry, two: { type: 'http', url: 'https://example.com/mcp' } },
  });
});

test(verifies('G2:mcp-commands', 'a server is removed, and the others stay'), () => {
  const removed = removeEntry(JSON.stringify({ servers: { one: entry, two: entry } }), 'one');
  expect(JSON.parse((removed as { text: string }).text)).toEqual({ servers: { two: entry } });
});

test.each([
  [addEntry(JSON.stringify({ mcpServers: { one: entry } }), 'one', entry), 'it has a server one: remove that first'],
  [removeEntry('{}', 'one'), 'it has no server one'],
  [addEntry('// mine\n{}', 'one', entry), expect.stringContaining('is edited by hand')],
  [addEntry('[]', 'one', entry), 'it is no object'],
  [addEntry('{"mcpServers": []}', 'one', entry), 'its mcpServers is no object'],
])(verifies('G2:mcp-commands', 'a file that can not be edited stays as it is, and the reason is said (%#)'), (edited, why) => {
  expect(edited).toEqual({ ok: false, why });
});
