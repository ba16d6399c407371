import type { JsonObject } from '@codelab/tools';
import { switchAgent as claudeSwitchAgent } from '../claude-code/switch-agent.js';
import { task as claudeTask } from '../claude-code/task.js';
import { tellTodos } from '../claude-code/todo-write.js';
import { failed } from '../claude-code/read-marks.js';
import { pathsOf, withPath } from '../table/with-path.js';
import { webFetch as claudeFetch, webSearch as claudeSearch } from '../claude-code/web.js';
import { canonicalError } from '../table/composite.js';
import { resultOf } from '../table/result-of.js';
import { defineRow, type Row } from '../table/row.js';
import { takes } from '../table/takes.js';
import type { Todo } from '../table/use-context.js';

/** `move_file`: moves or renames. */
export const moveFile = defineRow<{ readonly from: string; readonly to: string }>({
  name: 'move_file',
  displayName: 'Move file',
  description: 'Moves or renames a file or directory. Replaces nothing that exists.',
  parameters: takes(['from', 'to'], {
    from: { type: 'string', minLength: 1, description: 'Present path.' },
    to: { type: 'string', minLength: 1, description: 'New path.' },
  }),
  policy: 'ask',
  readonly: false,
  idempotency: 'unsafe',
  needs: ['move_file'],
  stands: 'move_file',
  files: ({ from, to }, context) => pathsOf([from, to], context),
  next: (args, [outcome], context) =>
    withPath(args.from, context, (from) =>
      withPath(args.to, context, (to) => {
        if (outcome === undefined) return { call: { tool: 'move_file', args: { from, to } } };
        return outcome.ok ? { text: `Moved ${from} to ${to}.` } : failed(canonicalError(outcome.code, outcome.message));
      }),
    ),
});

/** `update_todos`: the task list of the session. */
export const updateTodos = defineRow<{ readonly todos: readonly Todo[] }>({
  name: 'update_todos',
  displayName: 'Task list',
  description:
    'Replaces the task list that the user sees. For work of three steps and more: one task in_progress at a time, completed once it is done and verified.',
  parameters: takes(['todos'], {
    todos: {
      type: 'array',
      maxItems: 100,
      items: takes(['content', 'status'], {
        content: { type: 'string', minLength: 1, maxLength: 500 },
        status: { type: 'string', enum: ['pending', 'in_progress', 'completed'] },
      }),
    },
  }),
  policy: 'allow',
  readonly: true,
  idempotency: 'safe',
  needs: [],
  stands: 'todos',
  next: ({ todos }) => ({ text: tellTodos(todos), marks: { todos } }),
});

/** `task`: another agent works on a part of the task. */
export const task: Row = {
  ...claudeTask,
  name: 'task',
  aliases: {},
  argumentAliases: { agent: 'subagent_type' },
};

/** `switch_agent`: another agent goes on with the turn. */
export const switchAgent: Row = { ...claudeSwitchAgent, name: 'switch_agent', aliases: {} };

/** `web_fetch` and `web_search`: as `WebFetch` and `WebSearch`. */
export const webFetch: Row = { ...claudeFetch, name: 'web_fetch' };
export const webSearch: Row = {
  ...claudeSearch,
  name: 'web_search',
  description: claudeSearch.description.replace('WebFetch', 'web_fetch'),
};

/** What a human chooses who wants to answer in their own words. */
const OWN_WORDS = 'Something else (say it in the chat)';

/** `ask_user`: a question with choices. */
export const askUser = defineRow<{ readonly question: string; readonly choices?: readonly string[] }>({
  name: 'ask_user',
  displayName: 'Question',
  description:
    'Asks the user a question, with choices where there are some. Only if the answer decides what you do and nothing in the workspace tells; not for ' +
    'permission: tools ask for that themselves.',
  parameters: takes(['question'], {
    question: { type: 'string', minLength: 1, description: 'The question.' },
    choices: { type: 'array', items: { type: 'string', minLength: 1 }, maxItems: 8, description: 'Short answers.' },
  }),
  aliases: { prompt_user: ({ message = null, actions = null }: JsonObject) => ({ question: message, choices: actions }) },
  policy: 'allow',
  readonly: true,
  idempotency: 'safe',
  needs: ['prompt_user'],
  stands: 'prompt_user',
  next: ({ question, choices = [] }, [outcome]) => {
    const actions = [...new Set([...choices, OWN_WORDS])];
    if (outcome === undefined) return { call: { tool: 'prompt_user', args: { message: question, actions } } };
    if (!outcome.ok) return failed(canonicalError(outcome.code, outcome.message));
    const { action = '' } = resultOf('prompt_user', outcome);
    return { text: action === OWN_WORDS ? 'The user wants to answer in their own words: end your turn with the question.' : action };
  },
});
