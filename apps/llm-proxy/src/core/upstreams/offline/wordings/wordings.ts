import { type Args, type Wording } from './wording.js';

/** For a shell, whatever the text is. */
const quote = (value: unknown): string => `'${String(value).replaceAll("'", `'\\''`)}'`;
const optional = (flag: string, value: unknown): string => (value === undefined ? '' : ` ${flag} ${quote(value)}`);
const regex = (text: unknown): string => String(text).replace(/[\\^$.|?*+()[\]{}]/g, '\\$&');

/** Through the shell of a vocabulary that has no tool for it. */
const byShell = (command: (args: Args) => string): Wording[] =>
  ['Bash', 'run_terminal_command'].map((name) => ({ name, has: 'command', args: (args) => ({ command: command(args) }) }));

const EDITOR = ['str_replace_based_edit_tool', 'str_replace_editor'];
const inEditor = (command: string, names: Readonly<Record<string, string>> = {}): Wording[] =>
  EDITOR.map((name) => ({ name, has: 'command', names, fixed: { command } }));

/** How each thing that the model does is called, by vocabulary; the first that is offered is taken. */
export const WORDINGS: Readonly<Record<string, readonly Wording[]>> = {
  read_file: [
    { name: 'read_file', has: 'path' },
    { name: 'Read', has: 'file_path', names: { path: 'file_path' } },
    { name: 'read_file', has: 'filepath', names: { path: 'filepath' }, isPlain: true },
    ...inEditor('view'),
  ],
  write_file: [
    { name: 'write_file', has: 'path' },
    { name: 'Write', has: 'file_path', names: { path: 'file_path' } },
    { name: 'create_new_file', has: 'filepath', names: { path: 'filepath', content: 'contents' } },
    ...inEditor('create', { content: 'file_text' }),
  ],
  edit_file: [
    { name: 'edit_file', has: 'old_string' },
    { name: 'Edit', has: 'old_string', names: { path: 'file_path' } },
    { name: 'single_find_and_replace', has: 'filepath', names: { path: 'filepath' } },
    ...inEditor('str_replace', { old_string: 'old_str', new_string: 'new_str' }),
  ],
  list_files: [
    { name: 'list_files' },
    { name: 'ls', has: 'dirPath', names: { path: 'dirPath' } },
    {
      name: 'Glob',
      has: 'pattern',
      args: ({ path, recursive, pattern }) => ({ path, pattern: pattern ?? (recursive === true ? '**/*' : '*') }),
    },
    ...inEditor('view'),
  ],
  search_in_project: [
    { name: 'search_in_project' },
    { name: 'search', has: 'pattern', args: ({ query, path }) => ({ pattern: regex(query), path, ignore_case: true }) },
    { name: 'Grep', has: 'pattern', args: ({ query, path }) => ({ pattern: regex(query), path, output_mode: 'content', '-i': true }) },
    { name: 'grep_search', has: 'query', args: ({ query, path }) => ({ query: regex(query), path }) },
    ...byShell(({ query, path = '.' }) => `grep -rniIF --exclude-dir=.git --exclude-dir=node_modules -e ${quote(query)} -- ${quote(path)}`),
  ],
  run_command: [{ name: 'run_command' }, ...byShell(({ command }) => String(command))],
  'process.start': [
    { name: 'run_persistent' },
    { name: 'run_command', has: 'background', args: ({ command }) => ({ command, background: true }) },
    { name: 'Bash', has: 'run_in_background', args: ({ command }) => ({ command, run_in_background: true }) },
    { name: 'run_terminal_command', has: 'waitForCompletion', args: ({ command }) => ({ command, waitForCompletion: false }) },
  ],
  'process.status': [
    { name: 'run_persistent', fixed: { action: 'status' } },
    { name: 'process_output', has: 'process_id' },
    { name: 'BashOutput', has: 'bash_id', names: { process_id: 'bash_id' } },
    { name: 'read_terminal_output', has: 'process_id' },
  ],
  'process.list': [{ name: 'run_persistent', fixed: { action: 'list' } }],
  kill_process: [
    { name: 'kill_process' },
    { name: 'KillShell', has: 'shell_id', names: { process_id: 'shell_id' } },
    { name: 'stop_terminal', has: 'process_id' },
  ],
  prompt_user: [{ name: 'prompt_user' }, { name: 'ask_user', has: 'question', names: { message: 'question', actions: 'choices' } }],
  'web.fetch': [{ name: 'web.fetch' }, { name: 'WebFetch', has: 'url' }, { name: 'fetch_url_content', has: 'url' }],
  'web.search': [{ name: 'web.search' }, { name: 'WebSearch', has: 'query' }, { name: 'search_web', has: 'query' }],
  apply_patch: [
    { name: 'apply_patch', has: 'diff' },
    { name: 'apply_patch', has: 'patch', names: { diff: 'patch' } },
  ],
  'git.diff': [
    { name: 'git.diff' },
    ...byShell(({ path = '.', staged }) => `git diff${staged === true ? ' --staged' : ''} -- ${quote(path)}`),
  ],
  'git.status': [{ name: 'git.status' }, ...byShell(() => 'git status --short --branch')],
  'git.log': [{ name: 'git.log' }, ...byShell(({ limit = 10 }) => `git log --oneline -n ${Number(limit)}`)],
  'git.branch': [
    { name: 'git.branch' },
    ...byShell(({ action, name = '' }) => {
      if (action === 'switch') return `git switch -- ${quote(name)}`;
      return `git branch${action === 'list' ? '' : `${action === 'delete' ? ' -d' : ''} -- ${quote(name)}`}`;
    }),
  ],
  'git.commit': [
    { name: 'git.commit' },
    ...byShell(({ message, files }) => {
      const add = Array.isArray(files) ? `git add -- ${files.map(quote).join(' ')} && ` : '';
      return `${add}git commit${optional('-m', message)}`;
    }),
  ],
  delete_file: [{ name: 'delete_file' }, ...byShell(({ path }) => `rm -- ${quote(path)}`)],
  move_file: [{ name: 'move_file' }, ...byShell(({ from, to }) => `mv -n -- ${quote(from)} ${quote(to)}`)],
  create_directory: [{ name: 'create_directory' }, ...byShell(({ path }) => `mkdir -p -- ${quote(path)}`)],
};
