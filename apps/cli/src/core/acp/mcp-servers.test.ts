import { expect, test } from 'vitest';
import { toServerConfigs } from './mcp-servers.js';

test('servers of an editor are taken with names that tools can have, and what has no place is said', () => {
  const { servers, notes } = toServerConfigs([
    { name: 'My files', command: '/bin/files', args: ['-v'], env: [{ name: 'KEY', value: 'v' }] },
    { type: 'http', name: 'web', url: 'https://example.com/mcp', headers: [{ name: 'Authorization', value: 'Bearer x' }] },
    { type: 'sse', name: 'old', url: 'http://localhost:1/sse', headers: [] },
    { type: 'http', name: 'bad', url: 'ftp://example.com', headers: [] },
    { name: 'WEB', command: 'x', args: [], env: [] },
    { name: '!!!', command: 'x', args: [], env: [] },
  ]);
  expect(servers).toEqual([
    { name: 'My-files', transport: { kind: 'stdio', command: '/bin/files', args: ['-v'], env: { KEY: 'v' } } },
    { name: 'web', transport: { kind: 'http', url: 'https://example.com/mcp', headers: { Authorization: 'Bearer x' } } },
    { name: 'old', transport: { kind: 'sse', url: 'http://localhost:1/sse', headers: {} } },
  ]);
  expect(notes).toHaveLength(4);
  expect(notes.join('\n')).toMatch(/"My files" is called My-files here[^]*bad is left out[^]*called WEB[^]*"!!!" is left out/);
});
