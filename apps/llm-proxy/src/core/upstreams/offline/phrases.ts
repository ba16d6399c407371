import type { Failed, Report } from './task.js';

const EXCERPT_LINES = 20;
const EXCERPT_CHARACTERS = 1_500;

/** Why a call failed, by its code; the message of the tool follows. */
const WHY: Readonly<Record<string, string>> = {
  FILE_NOT_FOUND: 'there is no such file',
  FILE_TOO_LARGE: 'it is too large',
  PERMISSION_DENIED: 'permission was denied',
  INVALID_PATH: 'the path is not valid',
  PATH_OUTSIDE_WORKSPACE: 'the path leads out of the workspace',
  GIT_NOT_INITIALIZED: 'this is not a git repository',
  GIT_ERROR: 'git failed',
  PATCH_APPLY_FAILED: 'the patch does not apply',
  ENCODING_ERROR: 'it is not UTF-8 text',
  TOOL_NOT_FOUND: 'the client has no such tool',
  INVALID_ARGUMENTS: 'the arguments were refused',
  DENIED_BY_USER: 'you rejected it',
  DENIED_BY_POLICY: 'a rule forbids it',
  APPROVAL_TIMED_OUT: 'nobody decided in time',
  CLIENT_DISCONNECTED: 'the client went away',
  OUTCOME_UNKNOWN: 'nobody knows whether it took effect, so I do not repeat it',
  CANCELLED: 'it was cancelled',
  TIMEOUT: 'it took too long',
  CONFLICT: 'the file was changed meanwhile',
  APPROVAL_MISMATCH: 'the files changed after you had seen them',
};

/** Says what failed and why, in the words of the tool too: a rejection brings its feedback with it. */
export function failure(doing: string, { code, message }: Failed): Report {
  const why = WHY[code] ?? 'the tool failed';
  return { failed: true, text: `I could not ${doing}: ${why} (${code}).${message === '' ? '' : ` It said: ${message}`}` };
}

/** A path or a command in running text. */
export function code(text: string): string {
  const longest = Math.max(0, ...[...text.matchAll(/`+/g)].map(([run]) => run.length));
  const ticks = '`'.repeat(longest + 1);
  return longest === 0 ? `\`${text}\`` : `${ticks} ${text} ${ticks}`;
}

/** The beginning of a text as a code block; says how much was left out. */
export function excerpt(text: string, language = ''): string {
  const lines = text.replace(/\n$/, '').split('\n');
  let shown = lines.slice(0, EXCERPT_LINES).join('\n');
  if (shown.length > EXCERPT_CHARACTERS) shown = `${shown.slice(0, EXCERPT_CHARACTERS)}…`;
  const left = lines.length - EXCERPT_LINES;
  const longest = Math.max(2, ...[...shown.matchAll(/`+/g)].map(([run]) => run.length));
  const fence = '`'.repeat(longest + 1);
  return `${fence}${language}\n${shown}\n${fence}${left > 0 ? `\n… and ${count(left, 'more line')}` : ''}`;
}

/** `1 line`, `2 lines`. */
export function count(n: number, noun: string): string {
  return `${n} ${noun}${n === 1 ? '' : noun.endsWith('ch') ? 'es' : 's'}`;
}

/** How many lines a text has; an unfinished last one counts. */
export function countLines(text: string): number {
  return text === '' ? 0 : text.replace(/\n$/, '').split('\n').length;
}

/** `a`, `a and b`, `a, b and c`. */
export function join(items: readonly string[]): string {
  return items.length < 2 ? items.join('') : `${items.slice(0, -1).join(', ')} and ${items.at(-1)}`;
}

/** A field of a result, if it is a text. */
export function textOf(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}
