import { expect, test } from 'vitest';
import { BusError, type LeaseFence, sessionRef } from '@codelab/bus';
import { FakeClock, verifies } from '@codelab/testkit';
import { argsDigest, type ToolDefinition } from '@codelab/tools';
import type { SessionFacts } from '../session/session-facts.js';
import { EMPTY_STATE, newTurn, type ReadyCall, type SessionState } from '../turn/turn-state.js';
import { MAX_RESULT_BYTES } from './run-tool.js';
import { ServerCalls } from './server-calls.js';
import type { ServerOutcome, ServerRun, ServerTool } from './server-tool.js';

const ref = sessionRef({ tenant: 't', sub: 'ana' }, 's1');
const OK: ServerOutcome = { ok: true, result: { output: 'fine' } };

const definition = (name: string, idempotency: 'safe' | 'unsafe'): ToolDefinition => ({
  ...{ name, idempotency, description: '', parameters: { type: 'object' }, since: '1.0', group: 'process', access: 'write' },
  deadlineMs: 60_000,
});

const call = (callId: string, toolName: string, more: Partial<ReadyCall> = {}): ReadyCall => ({
  ...{
    callId,
    toolName,
    deadlineMs: 60_000,
    human: false,
    server: true,
    argsSha256: argsDigest({ n: 1 }),
    fence: 1,
    asked: false,
    askedAnew: 0,
  },
  ...{ idempotency: toolName.startsWith('safe') ? ('safe' as const) : ('unsafe' as const), state: 'ready' as const },
  ...{ readyAtMs: 0, checkAtMs: 0, givenAtMs: 0, stoppedAtMs: 0 },
  frame: JSON.stringify({ type: 'tool_call', call_id: callId, tool_name: toolName, args: { n: 1 }, fence: 1, args_sha256: '0'.repeat(64) }),
  ...more,
});

const stateOf = (calls: readonly ReadyCall[], cancelledAtMs?: number): SessionState => {
  const turn = newTurn({ turnId: 't1', messageIds: [], model: 'm', agent: 'coder', vocabulary: 'agent' }, 0);
  return { ...EMPTY_STATE, turn: { ...turn, cancelledAtMs, phase: { kind: 'calling', calls, uses: [] } } };
};

class Scene {
  readonly clock = new FakeClock();
  readonly settled: { readonly callId: string; readonly frame: string; readonly errorCode?: string | undefined }[] = [];
  readonly begun: string[] = [];
  readonly relayed: string[] = [];
  readonly runs: ServerRun[] = [];
  /** What the store says of a begin, by call; `begun` for others. */
  verdicts: Record<string, 'begun' | 'begun_before' | 'refused'> = {};
  failures: Error[] = [];
  tools: Record<string, (run: ServerRun) => Promise<ServerOutcome>> = {};
  readonly log = { info: () => undefined, warn: () => undefined, error: (fields: object) => void this.faults.push(fields) };
  readonly faults: object[] = [];
  readonly calls = new ServerCalls({
    clock: this.clock,
    log: this.log,
    store: {
      beginServerCall: async (_ref, { callId }) => {
        this.begun.push(callId);
        return this.verdicts[callId] ?? 'begun';
      },
      settleCall: async (_ref, { callId, frame, errorCode }) => {
        const failure = this.failures.shift();
        if (failure !== undefined) throw failure;
        this.settled.push({ callId, frame, errorCode });
        return { kind: 'settled', outcome: 'accepted' };
      },
      relay: async (_ref, { text }) => void this.relayed.push(text),
    },
  });

  follow(calls: readonly ReadyCall[], cancelledAtMs?: number): void {
    const serverTools = Object.keys(this.tools).map((name): ServerTool => ({
      definition: definition(name, name.startsWith('safe') ? 'safe' : 'unsafe'),
      run: (_args, run) => {
        this.runs.push(run);
        return this.tools[name]!(run);
      },
    }));
    const facts = { serverTools } as unknown as SessionFacts; // what else they say is nothing to it
    this.calls.follow({ ref, leaseFence: 7 as LeaseFence, facts, after: stateOf(calls, cancelledAtMs) });
  }

  async rest(): Promise<void> {
    for (let turns = 0; turns < 20; turns += 1) await new Promise(setImmediate);
  }

  /** What came of each call: its error code, or `ok`. */
  get ends(): readonly string[] {
    return this.settled.map(({ callId, errorCode = 'ok' }) => `${callId} ${errorCode}`);
  }
}

/** Listens to nothing but its signal. */
const hang = (): Promise<ServerOutcome> => new Promise(() => undefined);

test(
  verifies('R2:server-calls', 'a call runs once, after its start was noted under the lease, with the arguments that were decided on'),
  async () => {
    const scene = new Scene();
    scene.tools = { safe_a: async () => OK };
    scene.verdicts = { c3: 'refused' };
    const text = '{"n":12345678901234567890}';
    const edited = { edited: text, argsSha256: argsDigest(JSON.parse(text)) };
    const calls = [call('c1', 'safe_a'), call('c2', 'safe_a', edited), call('c3', 'safe_a')];
    scene.follow(calls);
    scene.follow(calls);
    await scene.rest();
    scene.follow(calls);
    await scene.rest();
    expect(scene.begun).toEqual(['c1', 'c2', 'c3']);
    expect(scene.runs.map(({ callId, argumentsText }) => [callId, argumentsText])).toEqual([
      ['c1', '{"n":1}'],
      ['c2', '{"n":12345678901234567890}'],
    ]);
    expect(scene.settled.map(({ frame }) => frame)).toEqual([
      '{"type":"tool_result","call_id":"c1","fence":1,"result":{"output":"fine"}}',
      '{"type":"tool_result","call_id":"c2","fence":1,"result":{"output":"fine"}}',
    ]);
    expect(scene.calls.isRunning(ref.sid)).toBe(false);
  },
);

test(
  verifies('R2:server-calls-order', 'safe calls run side by side, calls that take effect one after another in their order'),
  async () => {
    const scene = new Scene();
    scene.tools = { safe_a: async () => OK, write: async () => OK };
    const calls = [call('w1', 'write'), call('s1', 'safe_a'), call('w2', 'write'), call('s2', 'safe_a')];
    scene.follow(calls);
    await scene.rest();
    expect(scene.begun).toEqual(['w1', 's1', 's2']);
    scene.follow(calls.slice(2));
    await scene.rest();
    expect(scene.begun).toEqual(['w1', 's1', 's2', 'w2']);
  },
);

test(
  verifies(
    'R2:server-calls-taken-over',
    'of two calls that a dead runtime began the safe one runs again, and of the other nothing is known',
  ),
  async () => {
    const scene = new Scene();
    scene.tools = { safe_a: async () => OK, write: async () => OK };
    scene.verdicts = { s1: 'begun_before', w1: 'begun_before' };
    scene.follow([call('s1', 'safe_a'), call('w1', 'write')]);
    await scene.rest();
    expect(scene.runs.map(({ callId }) => callId)).toEqual(['s1']);
    expect(scene.ends).toEqual(expect.arrayContaining(['s1 ok', 'w1 OUTCOME_UNKNOWN']));
  },
);

test(verifies('R2:server-calls-stopped', 'a cancel, a deadline and a hand-over end a call with what is true of it'), async () => {
  const scene = new Scene();
  scene.tools = { safe_a: hang, write: hang };
  const both = (n: number) => [call(`s${String(n)}`, 'safe_a'), call(`w${String(n)}`, 'write')];
  scene.follow(both(1));
  await scene.rest();
  expect(scene.calls.isRunning(ref.sid)).toBe(true);
  scene.follow(both(1), 1);
  await scene.rest();
  expect(scene.runs.every(({ signal }) => signal.aborted)).toBe(true);
  expect(scene.ends).toEqual(['s1 CANCELLED', 'w1 OUTCOME_UNKNOWN']);

  scene.settled.length = 0;
  scene.follow([]);
  scene.follow(both(2));
  await scene.rest();
  await scene.clock.advance(60_001);
  await scene.rest();
  expect(scene.ends).toEqual(['s2 TIMEOUT', 'w2 OUTCOME_UNKNOWN']);

  scene.settled.length = 0;
  scene.follow([]);
  scene.follow(both(3));
  await scene.rest();
  const handing = scene.calls.handOver(ref.sid);
  await scene.rest();
  expect(scene.ends).toEqual([]); // the safe one is run again by who comes next
  await scene.clock.advance(5_001);
  await handing;
  expect(scene.ends).toEqual(['w3 OUTCOME_UNKNOWN']);

  scene.settled.length = 0;
  scene.follow([]);
  scene.follow(both(4));
  await scene.rest();
  scene.calls.drop(ref.sid);
  await scene.rest();
  expect(scene.ends).toEqual([]);
  expect(scene.runs.every(({ signal }) => signal.aborted)).toBe(true);
  expect(scene.faults).toEqual([]);
});

test(verifies('G4:server-calls', 'a tool that throws, floods or answers nonsense costs its call'), async () => {
  const scene = new Scene();
  const circular: Record<string, unknown> = {};
  circular.self = circular;
  scene.tools = {
    safe_throws: () => Promise.reject(new Error('secret words')),
    safe_throws_now: () => {
      throw new Error('at once');
    },
    safe_flood: async () => ({ ok: true, result: { output: 'x'.repeat(MAX_RESULT_BYTES) } }),
    safe_circular: async () => ({ ok: true, result: circular }) as unknown as ServerOutcome,
    safe_loud: async ({ onOutput }) => {
      for (let times = 0; times < 10_000; times += 1) onOutput('y'.repeat(1_000));
      return OK;
    },
  };
  scene.failures = [new BusError('away')];
  scene.follow([...Object.keys(scene.tools), 'safe_gone'].map((name) => call(`c_${name}`, name)));
  await scene.rest();
  await scene.clock.advance(1_000);
  await scene.rest();
  expect([...scene.ends].sort()).toEqual([
    'c_safe_circular TOOL_FAILED',
    'c_safe_flood FILE_TOO_LARGE',
    'c_safe_gone TOOL_NOT_FOUND',
    'c_safe_loud ok',
    'c_safe_throws TOOL_FAILED',
    'c_safe_throws_now TOOL_FAILED',
  ]);
  expect(JSON.stringify(scene.settled)).not.toContain('secret words');
  expect(scene.relayed.join('').length).toBeLessThan(64 * 1024);
  expect(scene.relayed.length).toBeGreaterThan(0);
  expect(scene.faults).toEqual([]);
});

test(
  verifies('H2:lost-arguments', 'a call whose arguments are not those that were decided on is not run, and the model is told'),
  async () => {
    const scene = new Scene();
    scene.tools = { a: async () => OK };
    scene.follow([call('c1', 'a', { argsSha256: argsDigest({ n: 'what the store has lost' }) })]);
    await scene.rest();
    expect(scene.runs).toEqual([]);
    expect(scene.ends).toEqual(['c1 INVALID_ARGUMENTS']);
  },
);
