import { expect, test } from 'vitest';
import { FakeClock, verifies } from '@codelab/testkit';
import type { DeclaredTool, ToolExecutor } from '../calls/tool-executor.js';
import { ToolsTeller } from './tools-teller.js';

/** A teller with an executor whose tools change, and what was told. */
function makeTeller(limits: Readonly<Record<string, number>> = { max_changed_tools_bytes: 1 }) {
  let tools: readonly DeclaredTool[] = ['read_file'];
  let changed = (): void => undefined;
  const clock = new FakeClock();
  const told: unknown[] = [];
  let live = true;
  const executor: ToolExecutor = {
    get tools() {
      return tools;
    },
    run: () => Promise.reject(new Error('nothing runs here')),
    preview: () => Promise.resolve(undefined),
    onToolsChanged(listener) {
      changed = listener;
      return () => (changed = () => undefined);
    },
  };
  const teller = new ToolsTeller({
    ...{ executor, clock, isLive: () => live },
    send: (text) => told.push(JSON.parse(text)),
    reconnect: () => told.push('reconnect'),
  });
  const become = (...next: readonly DeclaredTool[]): void => {
    tools = next;
    changed();
  };
  teller.greeted(true);
  teller.welcomed({ limits });
  teller.follow('you');
  return { teller, clock, told, become, setLive: (is: boolean) => (live = is) };
}

test(verifies('L3:tools-told', 'changes that come together are told once, and what is known is not told again'), async () => {
  const { clock, told, become } = makeTeller();
  become('read_file', 'write_file');
  become('read_file', 'write_file', 'list_files');
  expect(told).toEqual([]);
  await clock.advance(100);
  become('read_file', 'write_file', 'list_files');
  await clock.advance(100);
  expect(told).toEqual([{ type: 'tools_changed', tools: ['read_file', 'write_file', 'list_files'] }]);
});

test(
  verifies('L3:tools-told', 'what changed while the connection was away, or another executed, is told by whoever executes then'),
  async () => {
    const { teller, clock, told, become, setLive } = makeTeller();
    setLive(false);
    become('write_file');
    await clock.advance(100);
    setLive(true);
    teller.follow('other');
    expect(told).toEqual([]);
    teller.follow('you');
    expect(told).toEqual([{ type: 'tools_changed', tools: ['write_file'] }]);
  },
);

test(verifies('L3:tools-told', 'a message that follows at once is behind the change'), () => {
  const { teller, told, become } = makeTeller();
  become('write_file');
  teller.tell();
  expect(told).toHaveLength(1);
});

test(verifies('L3:tools-told', 'a gateway of a former release gets a new hello instead'), async () => {
  const { clock, told, become } = makeTeller({});
  become('write_file');
  await clock.advance(100);
  expect(told).toEqual(['reconnect']);
});

test(verifies('L3:tools-told', 'nothing is told by a process that only watches, nor after the end'), async () => {
  const { teller, clock, told, become } = makeTeller();
  teller.greeted(false);
  become('write_file');
  await clock.advance(100);
  teller.greeted(true);
  teller.stop();
  become('list_files');
  await clock.advance(100);
  expect(told).toEqual([]);
});
