/** A line of a file. `end` is empty only for a last line without line end. */
export interface FileLine {
  readonly text: string;
  readonly end: '\n' | '\r\n' | '';
}

/** The byte order mark stands apart; a final line end makes no further line. */
export interface FileLines {
  readonly bom: string;
  readonly lines: readonly FileLine[];
}

export function splitFile(content: string): FileLines {
  const bom = content.startsWith('\uFEFF') ? '\uFEFF' : '';
  const pieces = content.slice(bom.length).split('\n');
  const last = pieces.pop()!;
  const lines: FileLine[] = pieces.map((piece) =>
    piece.endsWith('\r') ? { text: piece.slice(0, -1), end: '\r\n' } : { text: piece, end: '\n' },
  );
  return { bom, lines: last === '' ? lines : [...lines, { text: last, end: '' }] };
}

export const joinFile = ({ bom, lines }: FileLines): string => bom + lines.map(({ text, end }) => text + end).join('');

/** The line end that most of the lines have; the first of two that are as frequent. */
export function usualEnd(lines: readonly FileLine[]): '\n' | '\r\n' | undefined {
  const ends = lines.flatMap(({ end }) => (end === '' ? [] : [end]));
  const crlf = ends.filter((end) => end === '\r\n').length;
  if (crlf * 2 === ends.length) return ends[0];
  return crlf * 2 > ends.length ? '\r\n' : '\n';
}
