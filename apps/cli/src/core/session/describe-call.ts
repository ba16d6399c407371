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

const DESCRIPTIONS: Readonly<Record<string, (args: Arguments) => string>> = {
  read_file: path,
  write_file: path,
  list_files: (args) => [path(args), text(args, 'pattern')].filter(Boolean).join(' '),
  create_directory: path,
  delete_file: path,
  move_file: (args) => `${text(args, 'from')} → ${text(args, 'to')}`,
  search_in_project: (args) => `“${text(args, 'query')}”${path(args) === '' ? '' : ` in ${path(args)}`}`,
  run_command: (args) => text(args, 'command'),
  run_persistent: (args) => `${text(args, 'command')} (as ${text(args, 'process_id')})`,
  kill_process: (args) => text(args, 'process_id'),
  apply_patch: files,
  apply_patch_review: files,
  prompt_user: (args) => text(args, 'message'),
  'git.diff': staged,
  'git.status': path,
  'git.log': path,
  'git.commit': (args) => text(args, 'message'),
  'git.branch': (args) => `${text(args, 'action')} ${text(args, 'name')}`.trim(),
};

/** The argument of a call that says most, for its line: the path, the command, the question. Text from outside, not made safe yet. */
export function describeCall(toolName: string, argsText: string): string {
  const args = parseArguments(argsText);
  if (!args) return argsText;
  const describe = Object.hasOwn(DESCRIPTIONS, toolName) ? DESCRIPTIONS[toolName] : undefined;
  return describe ? describe(args) : Object.keys(args).length === 0 ? '' : argsText;
}

/** What came out of a call, in a few words: `120 lines`, `+3 −1`. Nothing where the shape is not known. */
export function summariseResult(toolName: string, result: unknown): string | undefined {
  if (typeof result !== 'object' || result === null) return undefined;
  const fields = result as Arguments;
  if (toolName === 'read_file' && typeof fields.content === 'string') return formatPlural(countLines(fields.content), 'line');
  if (toolName === 'git.diff' && typeof fields.diff === 'string') return fields.diff === '' ? 'no changes' : countChanges(fields.diff);
  if (toolName === 'apply_patch' && Array.isArray(fields.files_modified)) return formatPlural(fields.files_modified.length, 'file');
  if (toolName === 'prompt_user' && typeof fields.action === 'string') return `“${fields.action}”`;
  if (toolName === 'run_command' && typeof fields.exit_code === 'number') return `exit ${fields.exit_code}`;
  if (toolName !== 'apply_patch_review' || !Array.isArray(fields.chunks_selected)) return undefined;
  return fields.action === 'cancel'
    ? 'cancelled'
    : `${fields.chunks_selected.length} of ${formatPlural(Number(fields.chunks_total), 'hunk')}`;
}

function countChanges(diff: string): string | undefined {
  const sum = sumUp(diff);
  return sum && `${formatPlural(sum.files.length, 'file')}, +${sum.added} −${sum.removed}`;
}

const countLines = (content: string): number => (content === '' ? 0 : content.split('\n').length - (content.endsWith('\n') ? 1 : 0));

function parseArguments(argsText: string): Arguments | undefined {
  try {
    const value = JSON.parse(argsText === '' ? '{}' : argsText) as unknown;
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Arguments) : undefined;
  } catch {
    return undefined; // shown as it came
  }
}
