export interface Clip {
  /** Characters kept of the beginning and of the end. */
  readonly head: number;
  readonly tail: number;
  /** What stands for the middle, told how many characters it had. */
  readonly mark: (left: number) => string;
}

/** The beginning and the end of a text that is too long, cut at line ends where there are some near. */
export function clip(text: string, { head, tail, mark }: Clip): string {
  if (text.length <= head + tail) return text;
  const before = text.lastIndexOf('\n', head);
  const beginning = text.slice(0, before > head / 2 ? before + 1 : head);
  const after = text.indexOf('\n', text.length - tail);
  const end = text.slice(after !== -1 && after < text.length - tail / 2 ? after + 1 : text.length - tail);
  return `${beginning}${beginning.endsWith('\n') ? '' : '\n'}${mark(text.length - beginning.length - end.length)}\n${end}`;
}
