/** A text as a cell of a Markdown table. */
export const cell = (text: string): string => text.replaceAll('|', '\\|').replaceAll('\n', ' ');

/** A Markdown table, with an empty line after it. */
export const table = (head: readonly string[], lines: readonly (readonly string[])[]): string =>
  [`| ${head.join(' | ')} |`, `|${head.map(() => '---|').join('')}`, ...lines.map((line) => `| ${line.map(cell).join(' | ')} |`), ''].join(
    '\n',
  );
