import type { Line, Style } from './span.js';
import { STYLES } from './span.js';
import { splitUnsafe } from './sanitise.js';

const SGR_COLOUR = { red: 31, green: 32, yellow: 33, blue: 34, magenta: 35, cyan: 36 } as const;
const SGR_RESET = '\x1b[0m';

/**
 * The one way from spans to the terminal: everything the command prints passes through here. Whatever a span holds, what comes out has
 * no control character but newline, tab and, with `colour`, our own SGR codes; each line ends with its styles reset.
 */
export function paintLine(line: Line, colour: boolean): string {
  return line.map(({ text, style }) => paintText(text, style ?? {}, colour)).join('');
}

function paintText(text: string, style: Style, colour: boolean): string {
  return splitUnsafe(text)
    .map((piece) => {
      const codes = colour ? toSgr(piece.escaped ? STYLES.escaped : style) : '';
      return codes === '' ? piece.text : `${codes}${piece.text}${SGR_RESET}`;
    })
    .join('');
}

function toSgr(style: Style): string {
  const codes: number[] = [];
  if (style.bold) codes.push(1);
  if (style.dim) codes.push(2);
  if (style.italic) codes.push(3);
  if (style.underline) codes.push(4);
  if (style.inverse) codes.push(7);
  if (style.strike) codes.push(9);
  if (style.colour) codes.push(SGR_COLOUR[style.colour]);
  return codes.length === 0 ? '' : `\x1b[${codes.join(';')}m`;
}
