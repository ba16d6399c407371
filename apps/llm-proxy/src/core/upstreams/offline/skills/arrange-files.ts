import type { Clause } from '../clause.js';
import { bareWord, pathsIn, toPath } from '../paths.js';
import { code, failure } from '../phrases.js';
import type { Play, Task } from '../task.js';

const REMOVE_FILE = /^(?:delete|remove|rm|удали)\s+(?:(?:the|file|folder|directory|файл|папку)\s+)*/iu;
const MOVE = /^(?:move|mv|rename|переименуй|перемести)\s+(?:(?:the|file|файл)\s+)*(\S+)\s+(?:to|into|as|в|на)\s+(\S+)\s*$/isu;
const DIRECTORY =
  /^(?:create|make|mkdir|add|создай)\s+(?:(?:an?|the|new|empty|новую)\s+)*(?:directory|folder|dir|папку|каталог)?\s*(?:(?:called|named)\s+)?(\S+?)(?:\s+(?:directory|folder))?\s*$/isu;

/** `delete a.txt`, `move a.txt to b.txt`, `create directory src`. */
export function arrangeFiles(clause: Clause): Task[] | undefined {
  const { text } = clause;
  const moved = MOVE.exec(text);
  const [from, to] = [moved?.[1], moved?.[2]].map((word) => (word === undefined ? undefined : toPath(word, clause)));
  if (from !== undefined && to !== undefined)
    return [changing('move_file', { from, to }, `move ${code(from)} to ${code(to)}`, `Moved ${code(from)} to ${code(to)}.`)];
  const remove = REMOVE_FILE.exec(text)?.[0];
  if (remove !== undefined) {
    const paths = pathsIn(text.slice(remove.length), clause);
    return paths.length === 0
      ? undefined
      : paths.map((path) => changing('delete_file', { path }, `delete ${code(path)}`, `Deleted ${code(path)}.`));
  }
  const named = /^mkdir|director|folder|папку|каталог/iu.test(text) ? DIRECTORY.exec(text)?.[1] : undefined;
  const path = named === undefined ? undefined : (toPath(named, clause) ?? bareWord(named));
  return path
    ? [changing('create_directory', { path }, `create the directory ${code(path)}`, `Created the directory ${code(path)}.`)]
    : undefined;
}

function changing(tool: string, args: Readonly<Record<string, unknown>>, doing: string, done: string): Task {
  function* play(): Play {
    const outcome = yield { tool, args };
    return outcome.ok ? { text: done } : failure(doing, outcome);
  }
  return { tools: [tool], readonly: false, doing, play };
}
