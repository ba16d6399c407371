import type { Line, Style } from './span.js';
import { STYLES } from './span.js';
import { splitUnsafe } from '@codelab/tools/human';
import type { Theme } from './themes.js';

const SGR_RESET = '\x1b[0m';

/**
 * The one way from spans to the terminal: everything the command prints passes through here. Whatever a span holds, what comes out has
 * no control character but newline, tab and, with a theme, our own SGR codes; each line ends with its styles reset.
 */
export function paintLine(line: Line, theme?: Theme): string {
  return line.map(({ text, style }) => paintText(text, style ?? {}, theme)).join('');
}

function paintText(text: string, style: Style, theme?: Theme): string {
  return splitUnsafe(text)
    .map((piece) => {
      const codes = theme ? toSgr(piece.escaped ? STYLES.escaped : style, theme) : '';
      return codes === '' ? piece.text : `${codes}${piece.text}${SGR_RESET}`;
    })
    .join('');
}

function toSgr(style: Style, theme: Theme): string {
  const codes = [
    style.bold && '1',
    style.dim && theme.dim,
    style.italic && '3',
    style.underline && '4',
    style.inverse && '7',
    style.strike && '9',
    style.colour && theme[style.colour],
  ].filter((code) => code !== undefined && code !== false && code !== '');
  return codes.length === 0 ? '' : `\x1b[${codes.join(';')}m`;
}
