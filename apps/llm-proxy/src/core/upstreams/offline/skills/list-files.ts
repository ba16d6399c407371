import type { Clause } from '../clause.js';
import { bareWord, pathsIn, toPath } from '../paths.js';
import { code, count, excerpt, failure } from '../phrases.js';
import type { Play, Task } from '../task.js';

const REQUEST =
  /^(?:list|ls)(?![\p{L}\p{N}_])|^(?:show|display|see|find|what|which|tell)(?![\p{L}\p{N}_]).*(?<![\p{L}\p{N}_])(?:files|file list|file tree|director(?:y|ies)|folders?)(?![\p{L}\p{N}_])|список файлов|покажи файлы|какие файлы|파일\s*목록|파일들?\S*\s*(?:목록\S*\s*)?보여|어떤\s*파일/iu;
const WHERE = /(?<![\p{L}\p{N}_])(?:in|of|under|inside|from|в|из)\s+(?:the\s+|(?:folder|directory|папке|каталоге)\s+)*(\S+)/iu;
const DEEP = /recursiv|(?:^|\s)(?:all|every|tree|-r)(?:\s|$)|рекурсивно|все файлы|모든/iu;
/** `ls src` */
const DIRECT = /^(?:list|ls)\s+(\S+)\s*$/i;
/** Words behind `in` that name no directory. */
const HERE = /^(?:all|everything|files|this|the|here|my|project|workspace|repo|repository|directory|folder|этом|проекте)$/iu;

/** `list files in src`, `list *.ts`. */
export function listFiles(clause: Clause): Task[] | undefined {
  if (!REQUEST.test(clause.text)) return undefined;
  const namesFiles = pathsIn(clause.text, clause).some((path) => /^[^*]*\.[^*./]+$/.test(path));
  if (namesFiles && !/^(?:list|ls|find)/i.test(clause.text)) return undefined; // `show the files a.txt and b.txt`
  const words = clause.text.split(/[\s,]+/);
  const pattern = words.map((word) => toPath(word, clause) ?? bareWord(word)).find((word) => word.includes('*'));
  const where = WHERE.exec(clause.text)?.[1];
  const named = where === undefined ? undefined : (toPath(where, clause) ?? bareWord(where));
  const [, direct] = DIRECT.exec(clause.text) ?? [];
  const folder = named ?? (direct === undefined ? undefined : (toPath(direct, clause) ?? bareWord(direct)));
  const path = folder === undefined || HERE.test(folder) || folder.includes('*') ? '.' : folder;
  const args = { path, recursive: DEEP.test(clause.text) || pattern !== undefined, pattern };
  const doing = `list the files in ${code(path)}${pattern === undefined ? '' : ` that match ${code(pattern)}`}`;
  return [{ tools: ['list_files'], readonly: true, doing, play: () => play(args, doing) }];
}

function* play(args: Readonly<Record<string, unknown>>, doing: string): Play {
  const outcome = yield { tool: 'list_files', args, optional: ['recursive', 'pattern'] };
  if (!outcome.ok) return failure(doing, outcome);
  const names = toPaths(outcome.value);
  if (names === undefined) return { text: `The list:\n\n${excerpt(outcome.text)}` };
  return {
    text:
      names.length === 0
        ? 'There are no files there.'
        : `${count(names.length, 'entry').replace('entrys', 'entries')}:\n\n${excerpt(names.join('\n'))}`,
  };
}

/** The first list in the result: of names, or of objects that have one. */
export function toPaths(value: Readonly<Record<string, unknown>>): string[] | undefined {
  const list = Object.values(value).find((field) => Array.isArray(field)) as unknown[] | undefined;
  return list?.map((entry) => {
    if (typeof entry === 'string') return entry;
    const { path, name, type } = entry as { path?: unknown; name?: unknown; type?: unknown };
    const text = typeof path === 'string' ? path : typeof name === 'string' ? name : JSON.stringify(entry);
    return type === 'directory' && !text.endsWith('/') ? `${text}/` : text;
  });
}
