import type { Clause } from '../clause.js';
import { plain, quoted } from '../clause.js';
import { toPath } from '../paths.js';
import { code, count, excerpt, failure, textOf } from '../phrases.js';
import type { Play, Task } from '../task.js';

const REQUEST = /^(?:search|grep|find|look|where(?:'s| is| are)|найди|поищи|поиск)(?![\p{L}\p{N}_])\s*(?:for(?![\p{L}\p{N}_]))?\s*/iu;
const KOREAN = /^(.+?)(?:을|를)?\s*(?:검색|찾아)/;
const WHERE = /\s+(?:in|under|inside|within|в)\s+(?:the\s+)?(?:(?:files?|folder|directory)\s+)?(\S+)\s*$/iu;
const TAIL =
  /\s+(?:is\s+)?(?:defined|used|called|declared|mentioned)$|\s+(?:in|across)\s+(?:the|this|my)?\s*(?:project|code|codebase|workspace|repo(?:sitory)?|files)$|\s+в\s+проекте$|\?+$/iu;

/** `search for "TODO" in src`. */
export function search(clause: Clause): Task[] | undefined {
  const korean = KOREAN.exec(clause.text)?.[1];
  const start = REQUEST.exec(clause.text)?.[0];
  if (korean === undefined && start === undefined) return undefined;
  const rest = (korean ?? clause.text.slice(start?.length)).replace(TAIL, '').replace(TAIL, '');
  const where = WHERE.exec(rest);
  const path = where ? toPath(where[1] ?? '', clause) : undefined;
  const words = path === undefined ? rest : rest.slice(0, where?.index);
  const query = quoted({ ...clause, text: words })[0]?.text ?? plain(words, clause);
  if (query === '') return undefined;
  const doing = `search for ${code(query)}${path === undefined ? '' : ` in ${code(path)}`}`;
  return [{ tools: ['search_in_project'], readonly: true, doing, play: () => play({ query, path }, doing) }];
}

function* play(args: Readonly<Record<string, unknown>>, doing: string): Play {
  const outcome = yield { tool: 'search_in_project', args, optional: ['path'] };
  if (!outcome.ok) return failure(doing, outcome);
  const matches = Object.values(outcome.value).find((field) => Array.isArray(field)) as unknown[] | undefined;
  if (!matches) return { text: `The result of the search:\n\n${excerpt(outcome.text)}` };
  if (matches.length === 0) return { text: `Nothing matches ${code(String(args.query))}.` };
  return { text: `${count(matches.length, 'match')} for ${code(String(args.query))}:\n\n${excerpt(matches.map(toLine).join('\n'))}` };
}

function toLine(match: unknown): string {
  if (typeof match !== 'object' || match === null) return String(match);
  const { path, file, line, line_number: lineNumber, text, content, preview } = match as Record<string, unknown>;
  const number = [line, lineNumber].find((value) => typeof value === 'number');
  const place = [textOf(path) ?? textOf(file), number].filter((part) => part !== undefined).join(':');
  const found = textOf(text) ?? textOf(content) ?? textOf(preview);
  return place === '' ? JSON.stringify(match) : `${place}${found === undefined ? '' : `: ${found.trimEnd()}`}`;
}
