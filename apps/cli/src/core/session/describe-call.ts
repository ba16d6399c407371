import { sumUp } from '../diff/read-diff.js';
import { formatPlural } from '../text/format.js';

type Arguments = Readonly<Record<string, unknown>>;

const text = (args: Arguments, name: string): string => {
  const value = args[name];
  return typeof value === 'string' ? value : value === undefined ? '' : JSON.stringify(value);
};

const path = (args: Arguments): string => text(args, 'path');
const staged = (args: Arguments): string => `${text(args, 'path') || '.'}${args.staged === true ? ' (staged)' : ''}`;

function files(args: Arguments): string {
  const sum = sumUp(text(args, 'diff'));
  if (!sum || sum.files.length === 0) return 'a diff';
  const more = sum.files.length > 2 ? ` and ${formatPlural(sum.files.length - 2, 'more file')}` : '';
  return `${sum.files.slice(0, 2).join(', ')}${more} (+${sum.added} −${sum.removed})`;
}

function processOf(args: Arguments): string {
  const id = text(args, 'process_id');
  const action = text(args, 'action') || 'start';
  return action === 'start' ? `${text(args, 'command')} (as ${id})` : [action, id].filter(Boolean).join(' ');
}

const DESCRIPTIONS: Readonly<Record<string, (args: Arguments) => string>> = {
  read_file: path,
  write_file: path,
  list_files: (args) => [path(args) || '.', text(args, 'pattern')].filter(Boolean).join(' '),
  create_directory: path,
  delete_file: path,
  move_file: (args) => `${text(args, 'from')} → ${text(args, 'to')}`,
  search_in_project: (args) => `“${text(args, 'query')}”${path(args) === '' ? '' : ` in ${path(args)}`}`,
  run_command: (args) => text(args, 'command'),
  run_persistent: processOf,
  kill_process: (args) => text(args, 'process_id'),
  apply_patch: files,
  apply_patch_review: files,
  prompt_user: (args) => text(args, 'message'),
  'git.diff': staged,
  'git.status': path,
  'git.log': path,
  'git.commit': (args) => `“${text(args, 'message').split('\n')[0]}”`,
  'git.branch': (args) => `${text(args, 'action')} ${text(args, 'name')}`.trim(),
};

/** The argument of a call that says most, for its line: the path, the command, the question. Text from outside, not made safe yet. */
export function describeCall(toolName: string, argsText: string): string {
  const args = parseArguments(argsText);
  if (!args) return argsText;
  const describe = Object.hasOwn(DESCRIPTIONS, toolName) ? DESCRIPTIONS[toolName] : undefined;
  return describe ? describe(args) : Object.keys(args).length === 0 ? '' : argsText;
}

function parseArguments(argsText: string): Arguments | undefined {
  try {
    const value = JSON.parse(argsText === '' ? '{}' : argsText) as unknown;
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Arguments) : undefined;
  } catch {
    return undefined; // shown as it came
  }
}
