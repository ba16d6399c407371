import type { Clause } from '../clause.js';
import { plain, quoted } from '../clause.js';
import { pathsIn } from '../paths.js';
import { code, count, excerpt, failure, join, textOf } from '../phrases.js';
import type { Play, Task } from '../task.js';

const DIFF =
  /(?<![\p{L}\p{N}_])diff(?![\p{L}\p{N}_])|^(?:what|show|see|display|view)(?![\p{L}\p{N}_]).*(?:changed|changes)(?![\p{L}\p{N}_])|покажи (?:изменения|дифф)|что изменилось|변경\s*(?:사항|점)|변경된/iu;
const STAGED = /(?<!un)staged|cached|индекс/i;
const STATUS = /^(?:(?:show|git|what is|what's|see|display)\s+)*(?:me\s+|the\s+|git\s+)*status(?![\p{L}\p{N}_])/iu;
const LOG = /^(?:(?:show|git|see|display|list)\s+)*(?:me\s+|the\s+|git\s+|recent\s+|last\s+)*(?:log|history|commits)(?![\p{L}\p{N}_])/iu;
const COMMIT = /^(?:git\s+)?(?:commit|закоммить)(?![\p{L}\p{N}_])/iu;
const MESSAGE = /(?:with(?: the)?(?: commit)? message|message|saying|-m|as|с сообщением)[\s:]+(.+)$/isu;

/** `show the diff`, `what changed in a.txt`, `staged diff`. */
export function showDiff(clause: Clause): Task[] | undefined {
  if (!DIFF.test(clause.text)) return undefined;
  const [path = '.'] = pathsIn(clause.text, clause);
  const staged = STAGED.test(clause.text);
  const what = `the ${staged ? 'staged ' : ''}changes${path === '.' ? '' : ` of ${code(path)}`}`;
  const doing = `look at ${what}`;
  function* play(): Play {
    const outcome = yield { tool: 'git.diff', args: { path, ...(staged && { staged }) } };
    if (!outcome.ok) return failure(doing, outcome);
    const diff = textOf(outcome.value.diff) ?? outcome.text;
    if (diff.trim() === '') return { text: `There are no ${staged ? 'staged ' : ''}changes${path === '.' ? '' : ` in ${code(path)}`}.` };
    const files = [...diff.matchAll(/^diff --git /gm)].length;
    return { text: `${count(Math.max(files, 1), 'file')} changed:\n\n${excerpt(diff, 'diff')}` };
  }
  return [{ tools: ['git.diff'], readonly: true, doing, play }];
}

/** `git status`, `recent commits`. */
export function showGit(clause: Clause): Task[] | undefined {
  if (STATUS.test(clause.text)) return [reading('git.status', { path: '.' }, 'look at the state of the work tree', toStatusLines)];
  if (LOG.test(clause.text)) return [reading('git.log', { limit: 10 }, 'look at the last commits', toLogLines)];
  return undefined;
}

type Value = Readonly<Record<string, unknown>>;

function reading(tool: string, args: Value, doing: string, toLines: (value: Value) => string | undefined): Task {
  function* play(): Play {
    const outcome = yield { tool, args, optional: Object.keys(args) };
    if (!outcome.ok) return failure(doing, outcome);
    return { text: toLines(outcome.value) ?? `The answer of ${code(tool)}:\n\n${excerpt(outcome.text)}` };
  }
  return { tools: [tool], readonly: true, doing, play };
}

function toStatusLines({ branch, clean, files }: Value): string | undefined {
  if (!Array.isArray(files)) return undefined;
  const on = textOf(branch) === undefined ? 'No branch is checked out' : `On branch ${code(textOf(branch) ?? '')}`;
  if (clean === true || files.length === 0) return `${on}; nothing is changed.`;
  const lines = (files as Value[]).map(({ path, staged, unstaged }) => {
    const states = [textOf(staged) && `${textOf(staged)!}, staged`, textOf(unstaged)].filter(Boolean).join('; ');
    return `${textOf(path) ?? ''}  (${states})`;
  });
  return `${on}; ${count(files.length, 'file')} changed:\n\n${excerpt(lines.join('\n'))}`;
}

function toLogLines({ commits }: Value): string | undefined {
  if (!Array.isArray(commits)) return undefined;
  if (commits.length === 0) return 'There are no commits.';
  const lines = (commits as Value[]).map(({ sha, date, author, subject }) =>
    [(textOf(sha) ?? '').slice(0, 9), (textOf(date) ?? '').slice(0, 10), textOf(author), textOf(subject)].join('  '),
  );
  return `The last ${count(commits.length, 'commit')}:\n\n${excerpt(lines.join('\n'))}`;
}

/** `commit a.txt with message 'x'`, `commit all as "x"`. */
export function commit(clause: Clause): Task[] | undefined {
  const verb = COMMIT.exec(clause.text)?.[0];
  if (verb === undefined) return undefined;
  const named = MESSAGE.exec(clause.text);
  const before = clause.text.slice(verb.length, named?.index);
  const message = named ? plain(named[1] ?? '', clause) : (quoted(clause)[0]?.text ?? 'Update files');
  const files = /(?:^|\s)(?:all|everything|все)(?:\s|$)/iu.test(before) ? ['.'] : named ? pathsIn(before, clause) : [];
  const doing = `commit ${files.length === 0 || files[0] === '.' ? 'the changes' : join(files.map(code))} as ${code(message)}`;
  function* play(): Play {
    const outcome = yield { tool: 'git.commit', args: { message, ...(files.length > 0 && { files }) }, optional: ['files'] };
    if (!outcome.ok) return failure(doing, outcome);
    const id = textOf(outcome.value.commit) ?? textOf(outcome.value.sha) ?? textOf(outcome.value.hash);
    return { text: `Committed${id === undefined ? '' : ` ${code(id.slice(0, 12))}`}: ${textOf(outcome.args.message) ?? message}` };
  }
  return [{ tools: ['git.commit'], readonly: false, doing, play }];
}
