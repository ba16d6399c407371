/** One task of the agent's list. */
export interface Todo {
  readonly content: string;
  readonly status: 'open' | 'active' | 'done';
}

const STATUS: Readonly<Record<string, Todo['status']>> = {
  in_progress: 'active',
  active: 'active',
  completed: 'done',
  done: 'done',
  cancelled: 'done',
};

/** Reads a task list: objects with `content` and `status`. What has no content is left out. */
export function readTodos(todos: readonly unknown[]): readonly Todo[] {
  return todos.flatMap((value) => {
    const { content, status } = (typeof value === 'object' && value !== null ? value : {}) as Readonly<Record<string, unknown>>;
    if (typeof content !== 'string' || content.trim() === '') return [];
    return [{ content, status: (typeof status === 'string' && Object.hasOwn(STATUS, status) ? STATUS[status] : undefined) ?? 'open' }];
  });
}
