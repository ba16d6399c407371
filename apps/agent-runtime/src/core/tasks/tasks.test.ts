import { expect, test } from 'vitest';
import { newId, QuotaError, sessionRef, taskRef } from '@codelab/bus';
import { verifies } from '@codelab/testkit';
import { argsDigest } from '@codelab/tools';
import type { SessionFacts } from '../session/session-facts.js';
import { EMPTY_STATE, newTurn, type ReadyCall, type SessionState } from '../turn/turn-state.js';
import { Tasks, type TaskPorts } from './tasks.js';

const parent = sessionRef({ tenant: 't', sub: 'ana' }, 's1');
const facts = { task: { parent: 's1', callId: 'call_1' } } as unknown as SessionFacts; // what else they say is nothing to it

const afterRounds = (rounds: number): SessionState => {
  const turn = newTurn({ turnId: 'turn_1', messageIds: [], model: 'm', agent: 'coder', vocabulary: 'agent' }, 0);
  return { ...EMPTY_STATE, turn: { ...turn, rounds } };
};

/** A child that works, and what is asked of the store about it. */
const scene = (known: readonly string[]) => {
  const ref = taskRef(parent, 'call_1');
  const seen = { looks: 0, cancelled: [] as string[] };
  const store = {
    readCalls: async () => {
      seen.looks += 1;
      return known.map((callId) => ({ callId }));
    },
    readMeta: async () => ({ ref, turnId: 'turn_1' }),
    requestCancel: async (_ref: unknown, { turnId }: { readonly turnId: string }) => void seen.cancelled.push(turnId),
  };
  const tasks = new Tasks({ store } as unknown as TaskPorts); // it opens none
  const step = async (before: number | undefined, after: number): Promise<void> => {
    tasks.follow({ ref, facts, before: before === undefined ? undefined : afterRounds(before), after: afterRounds(after) });
    await tasks.idle();
  };
  return { seen, step };
};

test(verifies('R2:task-once', 'a child asks once a round whether its parent still waits for it'), async () => {
  const { seen, step } = scene(['call_1']);
  await step(undefined, 1);
  await step(1, 1);
  await step(1, 2);
  expect(seen).toEqual({ looks: 2, cancelled: [] });
});

test(verifies('R2:task-once', 'and ends where its parent was set back to before it asked, and asks another'), async () => {
  const { seen, step } = scene(['call_2']);
  await step(1, 2);
  expect(seen.cancelled).toEqual(['turn_1']);
});

test(
  verifies('G4:task-quota', 'a part of the task for which there is no room ends with the words of the quota, and the turn goes on'),
  async () => {
    const args = { prompt: 'do it', agent: 'ask' };
    const call: ReadyCall = {
      ...{
        callId: 'call_1',
        toolName: 'task',
        deadlineMs: 60_000,
        human: true,
        server: true,
        task: true,
        argsSha256: argsDigest(args),
        fence: 1,
      },
      ...{ asked: false, askedAnew: 0, idempotency: 'unsafe', state: 'ready', readyAtMs: 0, checkAtMs: 0, givenAtMs: 0, stoppedAtMs: 0 },
      frame: JSON.stringify({ type: 'tool_call', call_id: 'call_1', tool_name: 'task', args, fence: 1 }),
    };
    const settled: { readonly frame: string; readonly errorCode?: string | undefined }[] = [];
    const tasks = new Tasks({
      store: {
        readMeta: async () => undefined,
        readCalls: async () => [{ callId: 'call_1', state: 'ready', progress: '' }],
        settleCall: async (_: unknown, result: (typeof settled)[number]) => (
          settled.push(result),
          { kind: 'settled', outcome: 'accepted' }
        ),
      },
      children: { openTask: () => Promise.reject(new QuotaError('owner', 11, 10)) },
      newId,
      limits: { maxSteps: 10, maxTokens: 10 },
    } as unknown as TaskPorts);
    const { turn, ...rest } = afterRounds(1);
    const knowledge = { first: { agents: [] }, latest: { agents: [] } };
    const session = { knowledge } as unknown as SessionFacts;
    tasks.follow({
      ref: parent,
      facts: session,
      before: undefined,
      after: { ...rest, turn: { ...turn!, phase: { kind: 'calling', calls: [call], uses: [] } } },
    });
    await tasks.idle();
    expect(settled).toMatchObject([{ errorCode: 'TASK_FAILED' }]);
    expect(settled[0]?.frame).toContain('ask ended failed: ');
    expect(settled[0]?.frame).toContain('the quota is 10');
  },
);
