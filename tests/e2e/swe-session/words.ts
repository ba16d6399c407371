/** One call in the words of a vocabulary. */
export interface Call {
  readonly name: string;
  readonly args: object;
}

/** A change of whole lines: `from` gives way to `to`. */
export interface Change {
  readonly from: string;
  readonly to: string;
}

/** `exact`: one text of a file; `together`: several; `diff`: as a unified diff, where the vocabulary has one. */
export type How = 'exact' | 'together' | 'diff';

/** How a model says what it wants. Paths are relative to `root`. */
export interface Words {
  readonly root: string;
  list(): Call;
  find(pattern: string): Call;
  read(path: string, lines?: { readonly from: number; readonly count: number }): Call;
  change(path: string, how: How, changes: readonly Change[]): Call;
  write(path: string, content: string): Call;
  run(command: string): Call;
  todos(todos: readonly { readonly content: string; readonly status: string }[]): Call;
  task(description: string, prompt: string): Call;
  plan(plan: string): Call;
}

const call = (name: string, args: object): Call => ({ name, args });
const lines = (text: string, sign: string): string => text.replace(/^/gm, sign);

const agent = (root: string): Words => ({
  root,
  list: () => call('list_files', { path: '.', recursive: true }),
  find: (pattern) => call('search', { pattern }),
  read: (path, part) => call('read_file', part === undefined ? { path } : { path, offset: part.from, limit: part.count }),
  change(path, how, changes) {
    const [first] = changes;
    if (how === 'exact' && first !== undefined) return call('edit_file', { path, old_string: first.from, new_string: first.to });
    const hunks = changes.map(({ from, to }) => `${lines(from, '-')}\n${lines(to, '+')}\n`);
    if (how === 'together')
      return call('apply_patch', { patch: `*** Begin Patch\n*** Update File: ${path}\n@@\n${hunks.join('@@\n')}*** End Patch` });
    const diff = hunks.map((hunk) => `@@ -1,9 +1,9 @@\n${hunk}`).join(''); // models can't count
    return call('apply_patch', { patch: `--- a/${path}\n+++ b/${path}\n${diff}` });
  },
  write: (path, content) => call('write_file', { path, content }),
  run: (command) => call('run_command', { command }),
  todos: (todos) => call('update_todos', { todos }),
  task: (description, prompt) => call('task', { description, prompt, subagent_type: 'ask' }),
  plan: (plan) => call('submit_plan', { plan }),
});

const claudeCode = (root: string): Words => {
  const file = (path: string): { readonly file_path: string } => ({ file_path: `${root}/${path}` });
  const edit = ({ from, to }: Change) => ({ old_string: from, new_string: to });
  return {
    root,
    list: () => call('Glob', { pattern: '**/*' }),
    find: (pattern) => call('Grep', { pattern, output_mode: 'content' }),
    read: (path, part) => call('Read', part === undefined ? file(path) : { ...file(path), offset: part.from, limit: part.count }),
    change: (path, how, changes) =>
      how === 'exact'
        ? call('Edit', { ...file(path), ...edit(changes[0]!) })
        : call('MultiEdit', { ...file(path), edits: changes.map(edit) }),
    write: (path, content) => call('Write', { ...file(path), content }),
    run: (command) => call('Bash', { command, description: 'Runs it' }),
    todos: (todos) => call('TodoWrite', { todos: todos.map((todo) => ({ ...todo, activeForm: todo.content })) }),
    task: (description, prompt) => call('Task', { description, prompt, subagent_type: 'ask' }),
    plan: (plan) => call('ExitPlanMode', { plan }),
  };
};

/** The words of the vocabulary that these tools are of. */
export const wordsFor = (tools: readonly string[], root: string): Words =>
  tools.some((name) => /^[A-Z]/.test(name)) ? claudeCode(root) : agent(root);
