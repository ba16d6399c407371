import { defineRow } from '../table/row.js';
import { takes } from '../table/takes.js';
import type { Todo } from '../table/use-context.js';

/** `TodoWrite`: the task list of the session, all of it at once. */
export const todoWrite = defineRow<{ readonly todos: readonly Todo[] }>({
  name: 'TodoWrite',
  displayName: 'Task list',
  description:
    'Replaces the task list that the user sees. Use it for work of three steps and more: one task in_progress at a time, completed as soon as it is done ' +
    'and verified. Not for a single small task.',
  parameters: takes(['todos'], {
    todos: {
      type: 'array',
      maxItems: 100,
      items: takes(['content', 'status', 'activeForm'], {
        content: { type: 'string', minLength: 1, maxLength: 500, description: 'What is to be done: "Fix the port".' },
        status: { type: 'string', enum: ['pending', 'in_progress', 'completed'] },
        activeForm: { type: 'string', minLength: 1, maxLength: 500, description: 'While it is done: "Fixing the port".' },
      }),
    },
  }),
  policy: 'allow',
  readonly: false,
  idempotency: 'safe',
  needs: [],
  stands: 'todos',
  next: ({ todos }) => ({ text: tellTodos(todos), marks: { todos } }),
});

/** `Todos saved: 1 pending, 1 in progress, 0 done.` */
export function tellTodos(todos: readonly Todo[]): string {
  const count = (status: Todo['status']): number => todos.filter((todo) => todo.status === status).length;
  const active = count('in_progress');
  const told = `Todos saved: ${String(count('pending'))} pending, ${String(active)} in progress, ${String(count('completed'))} done.`;
  return active > 1 ? `${told} More than one is in progress.` : told;
}
