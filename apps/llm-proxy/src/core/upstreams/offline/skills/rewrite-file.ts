import { createHash } from 'node:crypto';
import { plain, type Clause } from '../clause.js';
import { LITERAL } from '../literals.js';
import { bareWord, toPath } from '../paths.js';
import { code, failure, textOf } from '../phrases.js';
import type { Play, Task } from '../task.js';
import { written, TO } from './written.js';

const APPEND = /^(?:append|add|добавь)(?![\p{L}\p{N}_])/iu;

/** `append "x" to a.txt`: puts a line behind the last one. */
export function appendText(clause: Clause): Task[] | undefined {
  const match = APPEND.test(clause.text) ? TO.exec(clause.text) : null;
  const path = match ? toPath(match[2] ?? '', clause) : undefined;
  if (path === undefined) return undefined;
  const line = plain(match?.[1] ?? '', clause).replace(/\n$/, '');
  return [
    rewriting(path, `append a line to ${code(path)}`, {
      change: (content) => `${content}${content === '' || content.endsWith('\n') ? '' : '\n'}${line}\n`,
      edit: (content) => {
        const last = uniqueEnd(content);
        return last === undefined ? undefined : { old_string: last, new_string: `${last}\n${line}` };
      },
      nothing: `I can't tell the end of ${code(path)} from other places in it, so I changed nothing.`,
    }),
  ];
}

const MAX_END_LINES = 100;

/** As many last lines, without the last line end, as stand in a text only once; nothing if that takes too many. */
function uniqueEnd(content: string): string | undefined {
  const lines = content.replace(/\n$/, '').split('\n');
  const text = lines.join('\n');
  let end = '';
  for (let count = 1; count <= Math.min(MAX_END_LINES, lines.length); count += 1) {
    end = count === 1 ? lines.at(-1)! : `${lines.at(-count)!}\n${end}`;
    if (end.trim() !== '' && text.indexOf(end) === text.length - end.length) return end;
  }
  return undefined;
}

const REPLACE =
  /^(?:replace|change|substitute|swap|rename|turn|замени)\s+(?:(?:all|every|the|word|text|string|line|все|слово|текст)\s+)*(.+?)\s+(?:with|by|to|into|на)\s+(.+?)\s+(?:in|inside|в)\s+(?:(?:the|file|файле)\s+)*(\S+)\s*$/isu;
const IN_FIRST = /^in\s+(?:(?:the|file)\s+)*(\S+?),?\s+(?:replace|change)\s+(.+?)\s+(?:with|by|to|into)\s+(.+?)\s*$/isu;
const REPLACE_KOREAN = /^(\S+?)에서\s+(.+?)(?:을|를)\s+(.+?)(?:으로|로)\s+(?:바꿔|변경|교체|바꾸)/su;
const REMOVE = new RegExp(
  `^(?:remove|delete)\\s+(?:(?:the|all|word|text|line)\\s+)*(${LITERAL})\\s+from\\s+(?:(?:the|file)\\s+)*(\\S+)\\s*$`,
  'isu',
);

/** `replace a with b in a.txt`: reads the file, writes it again if `a` is in it. */
export function replaceText(clause: Clause): Task[] | undefined {
  const { text } = clause;
  const direct = REPLACE.exec(text);
  const removed = REMOVE.exec(text);
  const other = IN_FIRST.exec(text) ?? REPLACE_KOREAN.exec(text);
  const [from, to, file] = direct
    ? [direct[1], direct[2], direct[3]]
    : removed
      ? [removed[1], '', removed[2]]
      : [other?.[2], other?.[3], other?.[1]];
  const path = file === undefined ? undefined : (toPath(file, clause) ?? bareWord(file));
  const before = plain(from ?? '', clause);
  if (path === undefined || path === '' || before === '') return undefined;
  const after = plain(to ?? '', clause);
  return [
    rewriting(path, `replace ${code(before)} with ${code(after)} in ${code(path)}`, {
      change: (content) => (content.includes(before) ? content.split(before).join(after) : undefined),
      edit: (content, isCut) =>
        isCut || content.includes(before) ? { old_string: before, new_string: after, replace_all: true } : undefined,
      nothing: `${code(before)} is not in ${code(path)}, so I changed nothing.`,
    }),
  ];
}

interface Rewriting {
  /** The whole new text, or nothing if there is nothing to change. */
  readonly change: (content: string) => string | undefined;
  /** The same as an edit, for tools that show files with line numbers. */
  readonly edit: (content: string, isCut: boolean) => Readonly<Record<string, unknown>> | undefined;
  readonly nothing?: string;
}

/** Lines at the end that are read of a file which was shown in part. */
const LAST_LINES = 20;

/** Reads a file, then edits it; where no edit is offered it is written whole, only if it is still the same. */
function rewriting(path: string, doing: string, { change, edit, nothing = 'There is nothing to change.' }: Rewriting): Task {
  function* play(has: (tool: string) => boolean): Play {
    let read = yield { tool: 'read_file', args: { path } };
    if (!read.ok) return failure(`read ${code(path)}`, read);
    const total = read.value.lines_total;
    const isCut = read.value.is_cut === true;
    if (isCut && typeof total === 'number' && total > LAST_LINES) {
      const offset = total - LAST_LINES + 1;
      read = yield { tool: 'read_file', args: { path, offset, limit: LAST_LINES }, optional: ['offset', 'limit'] };
      if (!read.ok) return failure(`read ${code(path)}`, read);
    }
    const before = textOf(read.value.content) ?? read.text;
    if (has('edit_file') && before !== '') {
      const args = edit(before, isCut);
      if (args === undefined) return { text: nothing, stop: true };
      const outcome = yield { tool: 'edit_file', args: { path, ...args }, optional: ['replace_all'] };
      return outcome.ok ? { text: outcome.text } : failure(doing, outcome);
    }
    const content = change(before);
    if (content === undefined) return { text: nothing, stop: true };
    const args = { path, content, expected_sha256: sha256(before) };
    const outcome = yield { tool: 'write_file', args, optional: ['expected_sha256'] };
    return outcome.ok ? { text: written(outcome, content) } : failure(doing, outcome);
  }
  return { tools: ['read_file', 'write_file'], readonly: false, doing, play };
}

function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
