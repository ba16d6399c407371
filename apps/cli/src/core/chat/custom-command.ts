/** Where a workspace keeps commands of its own: `NAME.md`, the text of the message that `/NAME` sends. */
export const commandPath = (name: string): string => `.codelab/commands/${name}.md`;

const PLACE = '$ARGUMENTS';

/** The message of a command: what the file says below its front matter, with the arguments in their places, else after it. */
export function fillCommand(file: string, args: string): string {
  const text = withoutFrontMatter(file.replace(/^\uFEFF/, '').replaceAll('\r\n', '\n')).trim();
  if (text.includes(PLACE)) return text.replaceAll(PLACE, () => args).trim();
  return args === '' ? text : `${text}\n\n${args}`;
}

function withoutFrontMatter(text: string): string {
  if (!text.startsWith('---\n')) return text;
  const end = text.indexOf('\n---', 3);
  const after = end === -1 ? undefined : text.slice(end + '\n---'.length);
  return after !== undefined && /^[ \t]*(?:\n|$)/.test(after) ? after : text;
}
