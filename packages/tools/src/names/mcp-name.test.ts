import { expect, test } from 'vitest';
import { verifies } from '@codelab/testkit';
import fc from 'fast-check';
import { isMcpServerName, mcpToolName, mcpToolUri, readMcpToolName, readMcpToolUri } from './mcp-name.js';

const server = fc.stringMatching(/^[a-zA-Z0-9-]{1,10}(_[a-zA-Z0-9-]{1,5}){0,3}$/);
const tool = fc.oneof(
  fc.string({ minLength: 1, unit: 'grapheme' }),
  fc.string({ minLength: 1, unit: fc.constantFrom('_', 'a', '/', '%', '.', '-') }),
  fc.constantFrom('read_file', '__x', '_', '.', '..', 'mcp__other__x', 'a/b?c#d', '%2e'),
);

test(verifies('L3:mcp-names', 'the name and the URI of a tool of an MCP server lead back to that server and tool'), () => {
  fc.assert(
    fc.property(server, tool, (one, two) => {
      expect(readMcpToolName(mcpToolName(one, two))).toEqual({ server: one, tool: two });
      expect(readMcpToolUri(mcpToolUri(one, two))).toEqual({ server: one, tool: two });
      expect(mcpToolUri(one, two)).toMatch(/^mcp:\/\/[a-zA-Z0-9_-]+\/[^/?#\s]+$/);
    }),
    { numRuns: 1000 },
  );
});

test('a name is that of one tool: its server ends at the first two underscores', () => {
  expect(readMcpToolName('mcp__files__read_file')).toEqual({ server: 'files', tool: 'read_file' });
  expect(readMcpToolName('mcp__my_files___private')).toEqual({ server: 'my_files', tool: '_private' });
  expect(readMcpToolName('mcp__a__mcp__b__c')).toEqual({ server: 'a', tool: 'mcp__b__c' });
});

test.each(['read_file', 'mcp__', 'mcp__a', 'mcp__a__', 'mcp____b', 'mcp___a__b', 'mcp__a b__c', `mcp__${'a'.repeat(33)}__b`, 'MCP__a__b'])(
  '%p names no tool of a server',
  (name) => expect(readMcpToolName(name)).toBeUndefined(),
);

test.each(['mcp://a', 'mcp://a/', 'mcp:///b', 'mcp://a/b/c', 'mcp://a__b/c', 'mcp://a/%zz', 'http://a/b', 'mcp://a/b?c', 'mcp://u@a/b'])(
  '%p is the URI of no tool',
  (uri) => expect(readMcpToolUri(uri)).toBeUndefined(),
);

test.each(['', 'a__b', '_a', 'a_', 'a.b', 'a'.repeat(33), 'ä', 'a b'])('no server may be called %p', (name) => {
  expect(isMcpServerName(name)).toBe(false);
  expect(() => mcpToolName(name, 'x')).toThrow(TypeError);
});
