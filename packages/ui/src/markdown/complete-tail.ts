/**
 * The last block of a text that is still being written, as it will probably go on: so that a table is a table from its first row, emphasis
 * that isn't closed yet is emphasis, and a list that begins isn't a heading for a moment. Nothing jumps when the rest comes.
 */
export function completeTail(source: string): string {
  if (source.startsWith('|')) return completeTable(source);
  return completeInline(dropUnderline(source));
}

/** `text\n-` would underline a heading: it is more likely the next list item. */
const dropUnderline = (source: string): string => source.replace(/\n[ \t]*(?:-+|=+|[*+]|\d{1,9}[.)]?)[ \t]*$/, '');

function completeTable(source: string): string {
  const [head = '', delimiter = '', ...rows] = source.split('\n');
  const columns = head.replace(/^\s*\||\|\s*$/g, '').split('|').length;
  if (rows.length === 0 && /^[|:\-\s]*$/.test(delimiter)) return `${head}\n|${' --- |'.repeat(columns)}`;
  return source;
}

function completeInline(source: string): string {
  const lineStart = source.lastIndexOf('\n\n') + 1;
  const last = source.slice(lineStart);
  if (count(last, /`/g) % 2 === 1) return `${source}\``;
  const text = source.replace(/(^|\s)\*{1,3}$/, '$1').replace(/!?\[([^\][\n]*)(?:\]\([^()\s]*)?$/, '$1'); // a link whose address is still coming
  const open = text.slice(lineStart).replace(/`[^`]*`/g, '');
  const strong = count(open, /\*\*(?=\S)|(?<=\S)\*\*/g) % 2 === 1;
  if (strong) return `${text.replace(/\*$/, '').trimEnd()}**`;
  return text;
}

const count = (text: string, pattern: RegExp): number => text.match(pattern)?.length ?? 0;
