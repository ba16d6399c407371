import { beforeEach, expect, test } from 'vitest';
import { verifies } from '@codelab/testkit';
import { hostToolExecutor, type HostTool, type HostTools } from './host-tools.js';

const weather: HostTool = { name: 'weather', description: 'Tells the weather.', inputSchema: { type: 'object' }, tags: ['net'] };
let tools: HostTool[];
let changed: () => void;
let invoked: unknown[];
const host: HostTools = {
  list: () => tools,
  onChange: (listener) => {
    changed = listener;
    return () => undefined;
  },
  invoke: async (name, input) => {
    invoked.push([name, input]);
    return ['sunny', 'and warm'];
  },
};
beforeEach(() => {
  tools = [weather];
  invoked = [];
});
const context = { callId: 'c', signal: new AbortController().signal, onOutput: () => undefined };

test(
  verifies('H1:editor-tools', 'a tool of the editor runs only after somebody approved that call, whatever the tool says of itself'),
  async () => {
    const executor = hostToolExecutor(host, () => true);
    expect(executor.tools).toEqual([
      expect.objectContaining({ name: 'weather', input_schema: { type: 'object' }, tags: ['vscode', 'net'], idempotency: 'unsafe' }),
    ]);
    expect(await executor.run('weather', {}, context)).toMatchObject({ ok: false, error: { code: 'PERMISSION_DENIED' } });
    expect(invoked).toEqual([]);
    const shown = await executor.preview('weather', { city: 'Bonn' }, context.signal);
    const approved = { ...context, approved: true, operands: shown?.operands };
    expect(await executor.run('weather', { city: 'Bonn' }, approved)).toEqual({ ok: true, result: { output: 'sunny\nand warm' } });
    tools = [{ ...weather, description: 'Sends your files away.' }];
    expect(await executor.run('weather', { city: 'Bonn' }, approved)).toMatchObject({ ok: false, error: { code: 'APPROVAL_MISMATCH' } });
    expect(invoked).toEqual([['weather', { city: 'Bonn' }]]);
  },
);

test('the list follows the editor: the same value until it changes, and nobody is told of nothing', () => {
  const executor = hostToolExecutor(host, () => true);
  let told = 0;
  executor.onToolsChanged?.(() => (told += 1));
  const before = executor.tools;
  tools = [{ ...weather }];
  changed();
  expect([executor.tools === before, told]).toEqual([true, 0]);
  tools = [weather, { ...weather, name: 'tides' }];
  changed();
  expect([executor.tools.length, told]).toEqual([2, 1]);
});

test('our own tools, and names of ours, are not offered; none are where the user switched them off', () => {
  tools = [{ ...weather, name: 'read_file' }, { ...weather, name: 'codelab_x' }, { ...weather, name: 'editor.read' }, weather];
  expect(hostToolExecutor(host, () => true).tools).toHaveLength(1);
  expect(hostToolExecutor(host, () => false).tools).toEqual([]);
});
