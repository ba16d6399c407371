import { PLAN_TOOL, type VocabularyName } from '@codelab/tools';
import type { SessionFacts } from '../session/session-facts.js';

/** Whether the agent may put a plan before the human. One that works for another agent or for a program only reads, and says what it found. */
export const mayPlan = ({ plans, task, program }: Pick<SessionFacts, 'plans' | 'task' | 'program'>): boolean =>
  plans && task === undefined && program === undefined;

/** What a model calls it: models of `claude-code` know the mode, and this as its end. */
export const planToolName = (vocabulary: VocabularyName): string => (vocabulary === 'claude-code' ? 'ExitPlanMode' : PLAN_TOOL.name);
