import type { TaskBudget } from '@codelab/bus';
import type { RuntimeLimits } from '../turn/runtime-limits.js';
import type { Turn } from '../turn/turn-state.js';

/** What a part of a task may use: what the operator grants, and no more steps than the turn has left that gives it away. */
export function budgetFor({ rounds }: Pick<Turn, 'rounds'>, { maxRounds, taskBudget = {} }: RuntimeLimits): TaskBudget {
  return { ...taskBudget, steps: Math.min(taskBudget.steps ?? Infinity, Math.max(maxRounds - rounds, 1)) };
}

/** Which part of its budget a turn has used up, in words: `its budget of 20 steps`; nothing while there is some left. */
export function usedUp({ rounds, usage }: Pick<Turn, 'rounds' | 'usage'>, budget: TaskBudget): string | undefined {
  const { steps = Infinity, tokens = Infinity, costUsd = Infinity } = budget;
  if (rounds >= steps) return `its budget of ${String(steps)} steps`;
  if (usage.inputTokens + usage.outputTokens >= tokens) return `its budget of ${String(tokens)} tokens`;
  return (usage.costUsd ?? 0) >= costUsd ? `its budget of $${costUsd.toFixed(2)}` : undefined;
}

/** The last that an agent without budget is told. */
export const askForLastWords = (used: string): string =>
  `This work has used up ${used}: no tool runs any more. Answer now, in one message: what you did, what you found, and what is left.`;
