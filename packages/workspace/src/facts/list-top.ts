import type { TreeDirectory } from '../files/tree/tree-directory.js';
import { isTemporaryName } from '../files/content/write-atomically.js';
import { isIgnored, type IgnoreRules } from '../search/ignore-rules.js';
import { readRulesOf } from '../search/walk-tree.js';
import { MAX_TREE_CHARACTERS, MAX_TREE_CHILDREN, MAX_TREE_LINES } from './facts-limits.js';

interface Listed {
  readonly name: string;
  readonly isDirectory: boolean;
}

/** Entries of one directory that are looked at: a folder of a million files is no overview. */
const MAX_LOOKED_AT = 5_000;

const list = (directory: TreeDirectory, path: string, above: IgnoreRules | undefined): { entries: Listed[]; rules?: IgnoreRules } => {
  const rules = readRulesOf(directory, path, above);
  const entries: Listed[] = [];
  let seen = 0;
  for (const { name, kind } of directory.entries()) {
    if ((seen += 1) > MAX_LOOKED_AT) break;
    const isDirectory = kind === 'directory';
    if (name === '.git' || isTemporaryName(name) || isIgnored(rules, path === '' ? name : `${path}/${name}`, name, isDirectory)) continue;
    entries.push({ name, isDirectory });
  }
  entries.sort((one, other) => (one.name < other.name ? -1 : 1));
  return { entries, rules };
};

const shown = ({ name, isDirectory }: Listed): string => (isDirectory ? `${name}/` : name);

/** The top of a tree, one path in a line, with the first entries of each directory in one line behind it; and the names at the top. */
export function listTop(top: TreeDirectory): { readonly text: string; readonly names: ReadonlySet<string> } {
  const { entries, rules } = list(top, '', undefined);
  const lines: string[] = [];
  let room = MAX_TREE_CHARACTERS;
  for (const entry of entries) {
    const child = entry.isDirectory ? top.openChild(entry.name) : undefined;
    const inside = child === undefined ? [] : list(child, entry.name, rules).entries;
    child?.close();
    const more = inside.length > MAX_TREE_CHILDREN ? `, … ${String(inside.length - MAX_TREE_CHILDREN)} more` : '';
    const children = inside.slice(0, MAX_TREE_CHILDREN).map(shown).join(', ');
    const line = children === '' ? shown(entry) : `${shown(entry)}: ${children}${more}`;
    room -= line.length + 1;
    if (room < 0 || lines.length === MAX_TREE_LINES) {
      lines.push(`… ${String(entries.length - lines.length)} more`);
      break;
    }
    lines.push(line);
  }
  return { text: lines.join('\n'), names: new Set(entries.map(({ name }) => name)) };
}
