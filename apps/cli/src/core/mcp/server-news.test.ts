import { expect, test } from 'vitest';
import type { McpServerState, McpServerStatus } from '@codelab/mcp';
import { verifies } from '@codelab/testkit';
import { ServerNewsReader } from './server-news.js';

const state = (status: McpServerStatus): McpServerState => ({
  ...{ name: 'files', status, transport: 'stdio', tools: 1, resources: 0, resourceTemplates: 0, prompts: 0, notes: [] },
});
const ready = state({ kind: 'ready' });
const failed = state({ kind: 'failed', why: 'it ended\x1b[2J' });

test(verifies('G4:mcp-news', 'a server that fails and comes back is told of once each; one that connects as it should is no news'), () => {
  const reader = new ServerNewsReader();
  const texts = [state({ kind: 'connecting' }), ready, failed, failed, ready, ready].flatMap((each, at) =>
    reader.read([each], at).map(({ tone, text }) => [tone, text]),
  );
  expect(texts).toEqual([
    ['warning', 'The MCP server files is away: it ended\\x1b[2J (/mcp shows more)'],
    ['info', 'The MCP server files is ready again.'],
  ]);
});

test(verifies('G4:mcp-news', 'a server that comes and goes a hundred times in a minute is told of once'), () => {
  const reader = new ServerNewsReader();
  const news = Array.from({ length: 200 }, (_, at) => reader.read([at % 2 === 0 ? failed : ready], at * 300)).flat();
  expect(news).toHaveLength(2);
});

test(verifies('G4:mcp-news', 'what is left out of a server is told once'), () => {
  const reader = new ServerNewsReader();
  const noted = { ...ready, notes: ['It offers 10,000 tools; the first 128 are used.', 'Another.'] };
  expect([noted, noted].flatMap((each) => reader.read([each], 0)).map(({ text }) => text)).toEqual([
    'The MCP server files: It offers 10,000 tools; the first 128 are used. (/mcp shows 1 more)',
  ]);
});

test(verifies('G4:mcp-news', 'a server that wants a login says how'), () => {
  const [news] = new ServerNewsReader().read([state({ kind: 'needs_login', how: '' })], 0);
  expect(news?.text).toBe('The MCP server files wants a login: /mcp login files');
});
