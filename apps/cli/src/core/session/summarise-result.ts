import { sumUp } from '../diff/read-diff.js';
import { formatPlural } from '../text/format.js';

type Fields = Readonly<Record<string, unknown>>;

const listOf = (fields: Fields, name: string): readonly unknown[] | undefined =>
  Array.isArray(fields[name]) ? (fields[name] as unknown[]) : undefined;
const textOf = (fields: Fields, name: string): string => (typeof fields[name] === 'string' ? fields[name] : '');
const joined = (...parts: readonly (string | undefined)[]): string | undefined => parts.filter((part) => part).join(', ') || undefined;

/** `1,000+ entries`: how many, and whether there are more. */
function count(fields: Fields, name: string, noun: string, plural = `${noun}s`): string | undefined {
  const length = listOf(fields, name)?.length;
  if (length === undefined) return undefined;
  const more = fields['truncated'] === true ? '+' : '';
  return `${length}${more} ${length === 1 && more === '' ? noun : plural}`;
}

function ending(fields: Fields): string | undefined {
  if (fields['timed_out'] === true) return 'timed out';
  if (typeof fields['exit_code'] === 'number') return `exit ${fields['exit_code']}`;
  return textOf(fields, 'signal') || undefined;
}

function changes(diff: string): string | undefined {
  const sum = sumUp(diff);
  return sum && `${formatPlural(sum.files.length, 'file')}, +${sum.added} −${sum.removed}`;
}

const countLines = (content: string): number => (content === '' ? 0 : content.split('\n').length - (content.endsWith('\n') ? 1 : 0));

function review(fields: Fields): string | undefined {
  const kept = listOf(fields, 'chunks_selected');
  if (!kept || fields['action'] === 'cancel') return kept && 'cancelled';
  const edited = listOf(fields, 'chunks_edited')?.length ?? 0;
  return joined(`${kept.length} of ${formatPlural(Number(fields['chunks_total']), 'hunk')}`, edited === 0 ? undefined : `${edited} edited`);
}

const SUMMARIES: Readonly<Record<string, (fields: Fields) => string | undefined>> = {
  read_file: (fields) => (typeof fields['content'] === 'string' ? formatPlural(countLines(fields['content']), 'line') : undefined),
  list_files: (fields) => count(fields, 'entries', 'entry', 'entries'),
  search_in_project: (fields) => count(fields, 'matches', 'match', 'matches'),
  create_directory: (fields) => (fields['created'] === false ? 'was there' : undefined),
  delete_file: (fields) => (typeof fields['files_deleted'] === 'number' ? formatPlural(fields['files_deleted'], 'file') : undefined),
  apply_patch: (fields) => count(fields, 'files_modified', 'file'),
  apply_patch_review: review,
  prompt_user: (fields) => (typeof fields['action'] === 'string' ? `“${fields['action']}”` : undefined),
  run_command: (fields) => joined(ending(fields), fields['truncated'] === true ? 'output cut' : undefined),
  run_persistent: (fields) => count(fields, 'processes', 'process', 'processes') ?? joined(textOf(fields, 'status'), ending(fields)),
  kill_process: (fields) => joined(textOf(fields, 'status'), ending(fields)),
  'git.status': (fields) => joined(textOf(fields, 'branch'), fields['clean'] === true ? 'clean' : count(fields, 'files', 'file')),
  'git.diff': (fields) => (typeof fields['diff'] !== 'string' ? undefined : fields['diff'] === '' ? 'no changes' : changes(fields['diff'])),
  'git.log': (fields) => count(fields, 'commits', 'commit'),
  'git.branch': (fields) =>
    count(fields, 'branches', 'branch', 'branches') ?? (textOf(fields, 'current') && `on ${textOf(fields, 'current')}`),
  'git.commit': (fields) => joined(textOf(fields, 'sha').slice(0, 8), count(fields, 'files', 'file')),
};

/** What came out of a call, in a few words: `120 lines`, `exit 1`, `+3 −1`. Nothing where the shape is not known. Text from outside. */
export function summariseResult(toolName: string, result: unknown): string | undefined {
  if (typeof result !== 'object' || result === null) return undefined;
  const summarise = Object.hasOwn(SUMMARIES, toolName) ? SUMMARIES[toolName] : undefined;
  return summarise?.(result as Fields) || undefined;
}
