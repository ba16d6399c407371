import type { PolicyRow, ToolDefinition } from '@codelab/tools';
import type { SessionFacts } from '../session/session-facts.js';

/** How often the holder of a session looks after the children that work for it: what it missed of them it finds out then. */
export const TASK_CHECK_MS = 10_000;

/**
 * The canonical call of `Task` and `task`: another agent works on a part of the task, in a child of the session. The servers run it; no client
 * has it, and a tool of a client that is merely called so is another one.
 */
export const TASK_TOOL: ToolDefinition = {
  name: 'task',
  description: 'Another agent works on a part of the task.',
  parameters: { type: 'object' },
  since: '2.1',
  group: 'process',
  access: 'readonly',
  idempotency: 'unsafe',
  deadlineMs: 60_000, // its time is that of the turns of the child
};

/** What the other agent does is judged call by call, so beginning it counts as looking. */
export const TASK_POLICY: PolicyRow = {
  modes: { medium: 'allow', strict: 'ask', permissive: 'allow' },
  risk: 'low',
  does: 'has another agent work on a part of the task',
  touches: 'nothing',
};

/** Whether agents of a session may give parts of their task to others: those that work on a part themselves may not. */
export const mayGiveTasks = ({ program, task, executor }: Pick<SessionFacts, 'program' | 'task' | 'executor'>): boolean =>
  program === undefined && task === undefined && executor !== '';
