import { expect, test } from 'vitest';
import { sessionRef, taskRef } from '@codelab/bus';
import { verifies } from '@codelab/testkit';
import type { SessionFacts } from '../session/session-facts.js';
import { EMPTY_STATE, newTurn, type SessionState } from '../turn/turn-state.js';
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
