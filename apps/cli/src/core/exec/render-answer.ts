import type { AssistantItem, SessionView } from '@codelab/client/view';
import { MarkdownStream } from '../markdown/markdown-stream.js';
import type { MarkdownLook } from '../markdown/render-markdown.js';
import { paintLine } from '../text/paint-line.js';
import { sanitise } from '../text/sanitise.js';

/**
 * The answer of the turn, for stdout, with a newline at its end; empty if there is none. With a `look` it is drawn for a terminal; without,
 * it is the model's Markdown as it came, for whatever reads it next, but for characters that steer terminals.
 */
export function renderAnswer(view: SessionView, look?: MarkdownLook): string {
  const answer = view.items.findLast((item): item is AssistantItem => item.kind === 'assistant' && item.final);
  if (!answer || answer.text.trim() === '') return '';
  if (!look) return `${sanitise(answer.text).trimEnd()}\n`;
  const stream = new MarkdownStream();
  const lines = [...stream.push(answer.text, look), ...stream.end(look)];
  return lines.map((line) => `${paintLine(line, !look.marks)}\n`).join('');
}
