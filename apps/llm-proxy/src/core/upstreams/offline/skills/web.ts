import type { Clause } from '../clause.js';
import { plain } from '../clause.js';
import { code, excerpt, failure, textOf } from '../phrases.js';
import type { Outcome, Play, Task } from '../task.js';

const FETCH =
  /^(?:fetch|download|open|read|get|show|see|look at|summari[sz]e|прочитай|открой|покажи)(?![\p{L}\p{N}_]).*?(https?:\/\/[^\s<>"'`]+)/iu;
const SEARCHES = [
  /^(?:search|browse|look|find|query)\s+(?:through\s+)?(?:the\s+)?(?:web|internet|online)(?![\p{L}\p{N}_])\s*(?:for\s+|about\s+)?(.+)$/iu,
  /^google\s+(?:for\s+)?(.+)$/iu,
  /^(?:search|look|find)\s+(?:up\s+|for\s+)?(.+?)\s+(?:(?:on|in)\s+the\s+(?:web|internet)|online)$/iu,
  /^(?:найди|поищи)\s+в\s+(?:интернете|сети)\s+(.+)$/iu,
];

/** `fetch https://docs.test/page`, `search the web for "fsync"`. */
export function web(clause: Clause): Task[] | undefined {
  const url = FETCH.exec(clause.text)?.[1]?.replace(/[).,;:!?\]]+$/, '');
  if (url !== undefined) {
    const doing = `fetch ${code(url)}`;
    return [{ tools: ['web.fetch'], readonly: true, doing, play: () => fetchPage(url, plain(clause.text, clause), doing) }];
  }
  const words = SEARCHES.reduce<string | undefined>((found, search) => found ?? search.exec(clause.text)?.[1], undefined);
  if (words === undefined) return undefined;
  const query = plain(words.replace(/[.?!]+$/, ''), clause).slice(0, 400);
  if (query.length < 2) return undefined;
  const doing = `search the web for ${code(query)}`;
  return [{ tools: ['web.search'], readonly: true, doing, play: () => searchWeb(query, doing) }];
}

/** The canonical tool answers with an object, the vocabularies with its text. */
const said = (outcome: Extract<Outcome, { ok: true }>): string => textOf(outcome.value.text) ?? outcome.text;

function* fetchPage(url: string, prompt: string, doing: string): Play {
  const outcome = yield { tool: 'web.fetch', args: { url, prompt }, optional: ['prompt'] };
  if (!outcome.ok) return failure(doing, outcome);
  const [, source = url, title = source, rest = ''] = /^(https?:\/\/\S+)(?: · ([^\n]+))?\n([\s\S]*)$/.exec(said(outcome)) ?? [];
  if (rest === '') return { text: said(outcome) };
  const text = rest.endsWith(`\n\n${prompt}`) ? rest.slice(0, -prompt.length).trimEnd() : rest;
  return { text: `[${title}](${source}) says:\n\n${excerpt(text, 'markdown')}` };
}

function* searchWeb(query: string, doing: string): Play {
  const outcome = yield { tool: 'web.search', args: { query } };
  if (!outcome.ok) return failure(doing, outcome);
  return { text: `The web has for ${code(query)}:\n\n${said(outcome)}` };
}
