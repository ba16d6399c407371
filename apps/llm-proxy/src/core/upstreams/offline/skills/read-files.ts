import type { Clause } from '../clause.js';
import { bareWord, pathsIn } from '../paths.js';
import { code, count, countLines, excerpt, failure, textOf } from '../phrases.js';
import type { Play, Task } from '../task.js';

const VERB =
  /^(?:read|show(?: me)?|open|cat|print|display|view|look at|see|what(?:'s| is) in|tell me what is in|прочитай|прочти|покажи|открой)(?![\p{L}\p{N}_])/iu;
const KOREAN = /(?:읽어|보여|열어)/;
const ARTICLES = /^(?:\s*(?:me|the|a|contents? of|file|files|файлы?|содержимое)(?=\s|$))+/iu;

/** `read a.txt and b.txt`: one call a file, side by side. */
export function readFiles(clause: Clause): Task[] | undefined {
  const verb = VERB.exec(clause.text)?.[0];
  if (verb === undefined && !KOREAN.test(clause.text)) return undefined;
  const rest = clause.text.slice(verb?.length ?? 0).replace(ARTICLES, '');
  const named = pathsIn(rest, clause);
  const words = rest.trim().split(/\s+/);
  const only = words.length === 1 && verb !== undefined ? bareWord(words[0] ?? '') : '';
  const paths = named.length > 0 || only === '' ? named : [only];
  return paths.length === 0 ? undefined : paths.map(toTask);
}

function toTask(path: string): Task {
  const doing = `read ${code(path)}`;
  return { tools: ['read_file'], readonly: true, doing, play: () => play(path, doing) };
}

function* play(path: string, doing: string): Play {
  const outcome = yield { tool: 'read_file', args: { path } };
  if (!outcome.ok) return failure(doing, outcome);
  const content = textOf(outcome.value.content) ?? outcome.text;
  if (content === '') return { text: `${code(path)} is empty.` };
  return { text: `${code(path)} has ${count(countLines(content), 'line')}:\n\n${excerpt(content)}` };
}
