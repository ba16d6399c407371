import { expect, test } from 'vitest';
import { decodeClientFrame, LIMITS, type ForeignTool } from '@codelab/protocol';
import { verifies } from '@codelab/testkit';
import type { DeclaredTool, RunContext, ToolExecutor } from '../calls/tool-executor.js';
import { composeExecutors } from './compose-executors.js';

const foreign = (name: string, extra: Partial<ForeignTool> = {}): ForeignTool => ({
  name,
  description: `does ${name}`,
  input_schema: { type: 'object' },
  ...extra,
});

/** An executor that says who ran what. */
function executorOf(label: string, tools: readonly DeclaredTool[]): ToolExecutor & { become(tools: readonly DeclaredTool[]): void } {
  let present = tools;
  const listeners = new Set<() => void>();
  return {
    get tools() {
      return present;
    },
    run: async (name) => ({ ok: true, result: `${label} ran ${name}` }),
    preview: async (name) => ({ preview: { kind: 'text', text: `${label} shows ${name}` } }),
    findDoubt: async (name) => `${label} doubts ${name}`,
    onToolsChanged(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    become(next) {
      present = next;
      for (const listener of listeners) listener();
    },
  };
}

const context = { callId: 'c', signal: new AbortController().signal, onOutput: () => undefined } satisfies RunContext;

const isTaken = (tools: readonly DeclaredTool[]): boolean =>
  decodeClientFrame(JSON.stringify({ type: 'hello', protocol_versions: ['2.1'], client_id: 'c', tools: [...tools] })).ok;

test(verifies('L3:composed-executors', 'each call goes to the executor that has its tool'), async () => {
  const both = composeExecutors([executorOf('files', ['read_file']), executorOf('servers', [foreign('mcp__a__echo')])]);
  expect(await both.run('read_file', {}, context)).toEqual({ ok: true, result: 'files ran read_file' });
  expect(await both.run('mcp__a__echo', {}, context)).toEqual({ ok: true, result: 'servers ran mcp__a__echo' });
  expect(await both.preview('mcp__a__echo', {}, context.signal)).toMatchObject({ preview: { text: 'servers shows mcp__a__echo' } });
  expect(await both.findDoubt?.('read_file', {}, context.signal)).toBe('files doubts read_file');
  expect(await both.run('gone', {}, context)).toMatchObject({ ok: false, error: { code: 'TOOL_NOT_FOUND' } });
});

test(
  verifies('L3:composed-executors', 'of two tools with one name the earlier executor has it, and the other is named with the reason'),
  async () => {
    const both = composeExecutors([executorOf('first', [foreign('a')]), executorOf('second', [foreign('a'), foreign('b')])]);
    expect(both.tools.map((tool) => (tool as ForeignTool).name)).toEqual(['a', 'b']);
    expect(await both.run('a', {}, context)).toMatchObject({ result: 'first ran a' });
    expect(both.leftOut).toEqual([{ name: 'a', why: 'another tool has that name' }]);
  },
);

test(verifies('L3:composed-executors', 'of ten thousand tools as many are declared as hello takes, and the rest is named'), () => {
  const many = Array.from({ length: 10_000 }, (_, index) => foreign(`mcp__a__t${index}`));
  const both = composeExecutors([executorOf('files', ['read_file']), executorOf('servers', many)]);
  expect(both.tools).toHaveLength(256);
  expect(both.tools[0]).toBe('read_file');
  expect(both.leftOut).toHaveLength(10_001 - 256);
  expect(isTaken(both.tools)).toBe(true);
});

test(verifies('L3:composed-executors', 'definitions beyond 256 KB are left out, and smaller ones behind them are not'), () => {
  const large = Array.from({ length: 10 }, (_, index) => foreign(`large${index}`, { description: 'x'.repeat(60_000) }));
  const both = composeExecutors([executorOf('servers', [...large, foreign('small')])]);
  expect(Buffer.byteLength(JSON.stringify(both.tools))).toBeLessThanOrEqual(LIMITS.MAX_TOOLS_BYTES);
  expect(both.tools.map((tool) => (tool as ForeignTool).name)).toEqual(['large0', 'large1', 'large2', 'large3', 'small']);
  expect(both.leftOut[0]).toEqual({ name: 'large4', why: 'the definitions of all tools have at most 256 KB' });
});

test(verifies('L3:composed-executors', 'a definition that no server takes costs no other tool'), () => {
  const nest = (levels: number): Record<string, unknown> => {
    let schema: Record<string, unknown> = {};
    for (let level = 0; level < levels; level += 1) schema = { properties: { a: schema } };
    return schema;
  };
  const hostile = [
    foreign('deep', { input_schema: nest(100) }),
    foreign('abyss', { input_schema: nest(100_000) }),
    foreign('n'.repeat(129)),
  ];
  const both = composeExecutors([executorOf('servers', [...hostile, foreign('good')])]);
  expect(both.tools).toEqual([foreign('good')]);
  expect(both.leftOut.map(({ why }) => why)).toEqual([
    expect.stringContaining('not taken'),
    expect.stringContaining("can't be sent"),
    expect.stringContaining('not taken'),
  ]);
});

test(verifies('L3:composed-executors', 'a list that changes is told, until nobody listens'), () => {
  const servers = executorOf('servers', []);
  const both = composeExecutors([executorOf('files', ['read_file']), servers]);
  let told = 0;
  const end = both.onToolsChanged?.(() => (told += 1));
  expect(both.tools).toEqual(['read_file']);
  servers.become([foreign('mcp__a__echo')]);
  expect(told).toBe(1);
  expect(both.tools).toHaveLength(2);
  expect(both.tools).toBe(both.tools);
  end?.();
  servers.become([]);
  expect(told).toBe(1);
  expect(both.tools).toEqual(['read_file']);
});
