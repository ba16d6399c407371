import type { Row } from './to-rows.js';

const LINE = 22;
/** Characters of prose in a line of the widest column. */
const COLUMNS = 95;

/** About how high a row is, before it is drawn: so that the scroll bar tells the truth. */
export function estimateHeight({ item, isJoined }: Row): number {
  const gap = isJoined ? 2 : 20;
  switch (item.kind) {
    case 'user':
      return gap + 28 + linesOf(item.content) * LINE + (item.attachments?.length ?? 0) * 8;
    case 'assistant':
      return gap + linesOf(item.text) * LINE;
    case 'call':
      return gap + 30 + (item.progress === 'waiting' ? 260 : item.preview?.kind === 'diff' ? 180 : 0);
    case 'shell':
      return gap + 60 + Math.min(12, item.tail.length / COLUMNS) * 18;
    default:
      return gap + 26;
  }
}

/** Long texts are only guessed at: nobody counts the lines of megabytes to draw a scroll bar. */
const linesOf = (text: string): number => {
  const part = text.slice(0, 4_000);
  const lines = part.split('\n').reduce((sum, line) => sum + Math.max(1, Math.ceil(line.length / COLUMNS)), 0);
  return text.length > 4_000 ? Math.min(400, (lines * text.length) / 4_000) : lines;
};
