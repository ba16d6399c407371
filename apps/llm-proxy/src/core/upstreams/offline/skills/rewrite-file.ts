import { createHash } from 'node:crypto';
import { plain, type Clause } from '../clause.js';
import { LITERAL } from '../literals.js';
import { bareWord, toPath } from '../paths.js';
import { code, failure, textOf } from '../phrases.js';
import type { Play, Task } from '../task.js';
import { written, TO } from './written.js';

const APPEND = /^(?:append|add|добавь)(?![\p{L}\p{N}_])/iu;

/** `append "x" to a.txt`: reads the file, writes it again with a line more. */
export function appendText(clause: Clause): Task[] | undefined {
  const match = APPEND.test(clause.text) ? TO.exec(clause.text) : null;
  const path = match ? toPath(match[2] ?? '', clause) : undefined;
  if (path === undefined) return undefined;
  const line = plain(match?.[1] ?? '', clause).replace(/\n$/, '');
  const change = (content: string) => `${content}${content === '' || content.endsWith('\n') ? '' : '\n'}${line}\n`;
  return [rewriting(path, `append a line to ${code(path)}`, change)];
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
  const change = (content: string) => (content.includes(before) ? content.split(before).join(after) : undefined);
  return [
    rewriting(
      path,
      `replace ${code(before)} with ${code(after)} in ${code(path)}`,
      change,
      `${code(before)} is not in ${code(path)}, so I changed nothing.`,
    ),
  ];
}

/** Reads a file, changes its text, and writes it only if it is still the same. */
function rewriting(
  path: string,
  doing: string,
  change: (content: string) => string | undefined,
  nothing = 'There is nothing to change.',
): Task {
  function* play(): Play {
    const read = yield { tool: 'read_file', args: { path } };
    if (!read.ok) return failure(`read ${code(path)}`, read);
    const before = textOf(read.value.content) ?? read.text;
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
