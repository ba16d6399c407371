import { expect, test } from 'vitest';
import { SimulatedSession, verifies } from '@codelab/testkit';
import { CAPABILITIES, TOOLS, type ToolDefinition } from '@codelab/tools';
import type { ServerTool } from '../server-tools/server-tool.js';
import { toFacts } from '../session/session-facts.js';
import { whoRuns } from './who-runs.js';

const server = (name: string, source?: ToolDefinition['source']): ServerTool => ({
  definition: {
    ...{ name, source, description: '', parameters: { type: 'object' }, since: '1.0', group: 'process', access: 'write' },
    ...{ idempotency: 'unsafe', deadlineMs: 60_000 },
  },
  run: () => Promise.reject(new Error('not here')),
});

const factsOf = (declared: readonly unknown[], tools: readonly ServerTool[] = []) => {
  const session = new SimulatedSession({ executorTools: JSON.stringify(declared), protocolVersion: '2.1' });
  return toFacts(session.meta, undefined, tools);
};
const foreign = (name: string) => ({ name, description: 'd', input_schema: { type: 'object' } });
const ALL = [...TOOLS, ...CAPABILITIES].map(({ name }) => name);

test(verifies('H1:who-runs-workspace', 'what needs the workspace is run by the client, whatever the servers say that they have'), () => {
  const facts = factsOf(
    ALL,
    ALL.map((name) => server(name)),
  );
  for (const name of ALL) {
    expect(whoRuns(facts, name, 'row')?.by).toBe('executor');
    expect(whoRuns(factsOf([], [server(name)]), name, 'row')).toBeUndefined();
    expect(whoRuns(factsOf([], [server(name, 'http')]), name, 'model')).toBeUndefined();
  }
});

test(
  verifies('H1:who-runs-own', 'a client that has a tool of its own keeps it, and no tool from outside is called by a row of ours'),
  () => {
    const tools = [server('weather', 'http'), server('mcp__docs__find', 'mcp'), server('web.fetch')];
    expect(whoRuns(factsOf(['read_file'], tools), 'weather', 'model')).toMatchObject({ by: 'server' });
    expect(whoRuns(factsOf(['read_file', foreign('weather')], tools), 'weather', 'model')).toMatchObject({ by: 'executor' });
    expect(whoRuns(factsOf(['read_file'], tools), 'mcp__docs__find', 'model')).toMatchObject({ by: 'server' });
    expect(whoRuns(factsOf(['read_file'], tools), 'web.fetch', 'row')).toMatchObject({ by: 'server' });
    expect(whoRuns(factsOf(['read_file', foreign('web.fetch')], []), 'web.fetch', 'row')).toBeUndefined();
    expect(whoRuns(factsOf(['read_file'], [server('web.fetch', 'http')]), 'web.fetch', 'row')).toBeUndefined();
  },
);

test(verifies('H1:who-runs-editor', 'a client that has an editor reads and writes files by it'), () => {
  const name = (declared: readonly string[], tool: string) => whoRuns(factsOf(declared), tool, 'row')?.tool.name;
  const both = ['read_file', 'write_file', 'editor.read', 'editor.write'];
  expect([name(both, 'read_file'), name(both, 'write_file')]).toEqual(['editor.read', 'editor.write']);
  expect([name(['read_file', 'editor.write'], 'read_file'), name(['read_file', 'editor.read'], 'write_file')]).toEqual([
    'read_file',
    undefined,
  ]);
});
