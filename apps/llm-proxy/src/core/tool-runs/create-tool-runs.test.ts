import { expect, test } from 'vitest';
import { BusError, sessionRef, type SessionMeta } from '@codelab/bus';
import { findTool } from '@codelab/tools';
import { verifies } from '@codelab/testkit';
import type { Exchange } from '../serve/route.js';
import { createToolRuns, type ToolRunPorts } from './create-tool-runs.js';

const owner = { tenant: 't', sub: 'u' };
const ide = (name: string) =>
  ({
    ...{ ref: sessionRef(owner, name), workspace: '', title: '', executor: 'ide', protocolVersion: '2.0' },
    executorTools: JSON.stringify(['read_file', 'git.diff']),
  }) as SessionMeta;
const tool = (name: string, parameters: object = { type: 'object' }) => ({ type: 'function', function: { name, parameters } });

/** Serves a request; answers the names of the tools with which it was passed on to a model. */
async function passedOn(body: object, sessions: readonly SessionMeta[] | Error, scopes = ['tools:run', 'tools:list']): Promise<string[]> {
  const answered: string[][] = [];
  const text = JSON.stringify(body);
  const exchange = {
    ...{ caller: { owner, scopes }, dialect: 'chat', headers: {}, facts: {} },
    ...{ bodyText: () => text, json: () => JSON.parse(text) as unknown },
  } as unknown as Exchange;
  const ports = {
    children: {
      connected: async () => {
        if (sessions instanceof Error) throw sessions;
        return sessions;
      },
    },
    serverTools: { list: async () => [] },
    runtimeTools: {
      list: async () => [
        { name: 'mcp__docs__greet', description: '', inputSchema: { type: 'object' }, tags: ['mcp', 'write'] },
        { name: 'web.fetch', description: '', inputSchema: { type: 'object' }, tags: ['web', 'readonly'] },
      ],
    },
    keys: { of: () => undefined },
    answer: async (passed: Exchange) => {
      const { tools = [] } = passed.json() as { tools?: { function: { name: string } }[] };
      expect(JSON.parse(passed.bodyText())).toEqual(passed.json());
      answered.push(tools.map((one) => one.function.name));
    },
  } as unknown as ToolRunPorts;
  await createToolRuns(ports).serve(exchange, exchange.json());
  expect(answered).toHaveLength(1);
  return answered[0]!;
}

const away = new BusError('Redis is away');

test(verifies('L3:CP-own-only', 'a request with nothing but tools of its own is passed on, with Redis and IDEs or without'), async () => {
  const body = { tool_execution: 'auto', tools: [tool('mine'), tool('read_file')] };
  for (const sessions of [[], [ide('a')], [ide('a'), ide('b')], away])
    expect(await passedOn(body, sessions)).toEqual(['mine', 'read_file']);
});

test('with tool_execution none the tools of the IDEs and those that the tools file lists stand behind those of the request', async () => {
  const body = { use_ide_tools: true, tools: [tool('read_file'), tool('mine')] };
  expect(await passedOn(body, [ide('a'), ide('b')])).toEqual(['read_file', 'mine', 'git.diff', 'mcp__docs__greet']);
  expect(await passedOn({ use_vscode_tools: true, session_id: 'b' }, [ide('a'), ide('b')])).toEqual([
    'git.diff',
    'mcp__docs__greet',
    'read_file',
  ]);
  expect(await passedOn({ max_tool_rounds: 3, tool_execution: 'none' }, away)).toEqual([]);
});

const picked = tool('read_file', findTool('read_file')!.parameters);

test.each([
  [{ use_ide_tools: true }, away, { kind: 'unavailable' }],
  [{ tool_execution: 'auto' }, away, { kind: 'unavailable' }],
  [{ use_ide_tools: true }, [], { kind: 'conflict', code: 'no_ide_connected' }],
  [{ tool_execution: 'auto' }, [], { kind: 'conflict', code: 'no_ide_connected' }],
  [{ tool_execution: 'auto', tools: [picked] }, [ide('a'), ide('b')], { kind: 'conflict', code: 'several_ides_connected' }],
  [{ use_ide_tools: true, session_id: 'c' }, [ide('a')], { kind: 'conflict', code: 'session_not_connected' }],
  [{ tool_execution: 'auto', max_tool_rounds: -1 }, [ide('a')], { kind: 'invalid_request', param: 'max_tool_rounds' }],
])('%j with %p is refused', async (body, sessions, error) => {
  await expect(passedOn(body, sessions)).rejects.toMatchObject(error);
});

test('each needs its scope, also where there would be nothing to do', async () => {
  await expect(passedOn({ tool_execution: 'auto' }, [], ['tools:list'])).rejects.toMatchObject({ kind: 'forbidden' });
  await expect(passedOn({ use_ide_tools: true }, [], ['tools:run'])).rejects.toMatchObject({ kind: 'forbidden' });
});
