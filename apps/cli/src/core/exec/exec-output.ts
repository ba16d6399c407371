import type { Item, SessionView, AssistantItem } from '@codelab/client/view';
import type { ServerFrame } from '@codelab/protocol';
import { MarkdownStream } from '../markdown/markdown-stream.js';
import type { MarkdownLook } from '../markdown/render-markdown.js';
import { paintLine } from '../text/paint-line.js';
import type { Theme } from '../text/themes.js';
import { sanitise } from '@codelab/tools/human';

/**
 * The answer of the turn, for stdout, with a newline at its end; empty if there is none. With a `look` it is drawn for a terminal; without,
 * it is the model's Markdown as it came, for whatever reads it next, but for characters that steer terminals.
 */
export function renderAnswer(view: SessionView, look?: MarkdownLook, theme?: Theme): string {
  const answer = view.items.findLast((item): item is AssistantItem => item.kind === 'assistant' && item.final);
  if (!answer || answer.text.trim() === '') return '';
  if (!look) return `${sanitise(answer.text).trimEnd()}\n`;
  const stream = new MarkdownStream();
  const lines = [...stream.push(answer.text, look), ...stream.end(look)];
  return lines.map((line) => `${paintLine(line, theme)}\n`).join('');
}

/** One line of `--trace` for a frame: when it came, counted from the start of the command, what it is, and its W3C trace context. */
export function traceLine(frame: ServerFrame, sinceStartMs: number, bytes: number): string {
  const fields = frame as { readonly seq?: number; readonly call_id?: string; readonly traceparent?: string };
  const parts = [
    `${sinceStartMs.toFixed(1).padStart(9)} ms`,
    frame.type.padEnd(17),
    fields.seq === undefined ? '' : `seq=${fields.seq}`,
    `bytes=${bytes}`,
    fields.call_id === undefined ? '' : `call=${fields.call_id}`,
    fields.traceparent === undefined ? '' : `traceparent=${fields.traceparent}`,
  ];
  return parts.filter((part) => part !== '').join(' ');
}

/**
 * What `exec` shows on stderr: everything but the prompt, which the user has just given, the answer, which goes to stdout, and what commands
 * print. A message of the model is progress only when it turned out not to be the answer.
 */
export const progressView = (view: SessionView): SessionView => ({
  ...view,
  items: view.items.flatMap((item): readonly Item[] => {
    if (item.kind === 'assistant') return item.done && !item.final ? [item] : [];
    if (item.kind === 'call') return [item.output ? { ...item, output: undefined } : item];
    return item.kind !== 'user' && item.kind !== 'thought' && !(item.kind === 'turn_end' && item.status === 'completed') ? [item] : [];
  }),
});

/** What a shell gets from `codelab exec`. */
export const EXEC_EXIT = { completed: 0, failed: 1, usage: 2, cancelled: 3, refused: 4 } as const;

/** The exit code of a turn. That somebody should have approved and nobody was there counts more than how the turn then ended. */
export function exitCodeOf(status: 'completed' | 'failed' | 'cancelled', lackedHuman: boolean): number {
  if (status === 'cancelled') return EXEC_EXIT.cancelled;
  return lackedHuman ? EXEC_EXIT.refused : EXEC_EXIT[status];
}
