const ESCAPE = '\u001B';
const BELL = '\u0007';

/**
 * A command's output as a terminal would show it in the end: without escape sequences, and of a line that was written again and again (progress
 * bars, spinners) what was written last. Text without such is left as it is.
 */
export function plainOutput(text: string): string {
  const bare = text.includes(ESCAPE) ? withoutEscapes(text) : text;
  return bare.includes('\r') ? bare.split('\n').map(lastWritten).join('\n') : bare;
}

function withoutEscapes(text: string): string {
  const parts: string[] = [];
  let from = 0;
  for (let at = text.indexOf(ESCAPE); at !== -1; at = text.indexOf(ESCAPE, from)) {
    parts.push(text.slice(from, at));
    from = endOfEscape(text, at);
  }
  return `${parts.join('')}${text.slice(from)}`;
}

/** Longer ones are none: the rest of an output is never taken for a title that has no end. */
const MAX_SEQUENCE = 1_000;

function endOfEscape(text: string, at: number): number {
  const kind = text[at + 1];
  const last = Math.min(text.length, at + MAX_SEQUENCE);
  if (kind === '[') {
    for (let end = at + 2; end < last; end += 1) {
      const code = text.charCodeAt(end);
      if (code >= 0x40 && code <= 0x7e) return end + 1;
      if (code < 0x20 || code > 0x7e) return at + 1;
    }
    return at + 1;
  }
  if (kind === ']') {
    for (let end = at + 2; end < last && text[end] !== '\n'; end += 1) {
      if (text[end] === BELL) return end + 1;
      if (text[end] === ESCAPE) return text[end + 1] === '\\' ? end + 2 : end;
    }
    return at + 1;
  }
  return kind === '(' || kind === ')' ? Math.min(text.length, at + 3) : Math.min(text.length, at + 2);
}

/** Of what was written over and over, the last that is more than blank; a return at the end of a line belongs to the line end. */
function lastWritten(line: string): string {
  if (!line.includes('\r')) return line;
  return line.split('\r').findLast((part) => part.trim() !== '') ?? '';
}
