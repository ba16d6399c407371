import { canonicalError } from '../table/composite.js';
import { defineRow } from '../table/row.js';
import { takes } from '../table/takes.js';
import { failed } from './read-marks.js';

interface TaskArgs {
  readonly description: string;
  readonly prompt: string;
  readonly subagent_type: string;
  readonly model?: string;
}

/** `Task`: another agent works on a part of the task, in a session of its own. */
export const task = defineRow<TaskArgs>({
  name: 'Task',
  displayName: 'Task',
  description:
    'Gives a part of the work to another agent with a context of its own, and returns its last words. For searches that would fill your context and for ' +
    'independent parts: several in one answer run side by side. It knows nothing of this conversation: put all it needs into the prompt.',
  parameters: takes(['description', 'prompt'], {
    description: { type: 'string', minLength: 1, maxLength: 100, description: 'Three to five words for the user.' },
    prompt: { type: 'string', minLength: 1, description: 'The whole task, and what to report.' },
    subagent_type: { type: 'string', default: 'coder', description: 'The agent; ask only reads, coder works.' },
    model: { type: 'string', description: 'Another model than yours.' },
  }),
  aliases: { Agent: (args) => args },
  policy: 'allow',
  readonly: false,
  idempotency: 'unsafe',
  sideBySide: true,
  needs: ['task'],
  stands: 'task',
  check: ({ subagent_type: agent }, { agents }) =>
    agents.includes(agent) ? undefined : `subagent_type: ${JSON.stringify(agent)}; expected ${agents.join(', ')}`,
  next: ({ description, prompt, subagent_type: agent, model }, [outcome]) => {
    if (outcome === undefined)
      return { call: { tool: 'task', args: model === undefined ? { description, prompt, agent } : { description, prompt, agent, model } } };
    if (outcome.ok) return { text: typeof outcome.result.text === 'string' ? outcome.result.text : '' };
    return failed(outcome.code === 'TASK_FAILED' ? `Error: ${outcome.message}` : canonicalError(outcome.code, outcome.message));
  },
});
