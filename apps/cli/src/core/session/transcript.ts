import { isSettled, keyOf, type AssistantItem, type Item, type SessionView, foldTasks } from '@codelab/client/view';
import { MarkdownStream } from '../markdown/markdown-stream.js';
import type { Line } from '../text/span.js';
import { span } from '../text/span.js';
import type { Look } from './look.js';
import { renderItem } from './render-item.js';

/** Columns left of the text, where the symbols stand. */
const MARGIN: Line = [span('  ')];

/** Rows that are final, each returned once; and rows that may change, all of them each time. */
export interface TranscriptRows {
  readonly settled: readonly Line[];
  readonly live: readonly Line[];
}

interface Position {
  readonly kind: Item['kind'];
  readonly key: string;
  readonly rows: number;
}

/** A call that shows a change has more rows, and air after it. */
const TALL_CALL_ROWS = 4;

/**
 * Draws the conversation as it grows. A row that was returned as settled is never returned again: the terminal has scrolled it away. Rows
 * are settled in order, so nothing is shown above what it came after. A call that ended once and then otherwise, because it was asked about
 * anew or its executor knows better, is told of again below.
 */
export class Transcript {
  /** What was printed, and of a call how it had ended then. */
  private readonly printed = new Map<string, string>();
  private writing: { readonly key: string; readonly stream: MarkdownStream; text: string } | undefined;
  private last: Position | undefined;

  update(view: SessionView, look: Look): TranscriptRows {
    const pending = foldTasks(view.items).filter((item) => this.printed.get(keyOf(item)) !== endOf(item));
    const settled: Line[] = [];
    let index = 0;
    for (; index < pending.length; index += 1) {
      const item = pending[index]!;
      const rows = item.kind === 'assistant' ? this.write(item, look) : isFinal(item) ? renderItem(item, look) : [];
      settled.push(...withGap(this.last, item, rows));
      if (rows.length > 0) this.last = { kind: item.kind, key: keyOf(item), rows: rows.length };
      if (!isFinal(item)) break;
      this.printed.set(keyOf(item), endOf(item));
    }
    return { settled, live: this.liveRows(pending.slice(index), look) };
  }

  private liveRows(items: readonly Item[], look: Look): readonly Line[] {
    const live: Line[] = [];
    let last = this.last;
    for (const item of items) {
      const rows = item.kind === 'assistant' ? this.openRows(item, look) : renderItem(item, look);
      live.push(...withGap(last, item, rows));
      if (rows.length > 0) last = { kind: item.kind, key: keyOf(item), rows: rows.length };
    }
    return live;
  }

  private write(item: AssistantItem, look: Look): readonly Line[] {
    const key = keyOf(item);
    if (this.writing?.key !== key) this.writing = { key, stream: new MarkdownStream(), text: '' };
    const { stream, text } = this.writing;
    const fresh = item.text.startsWith(text) ? item.text.slice(text.length) : `\n\n${item.text}`;
    this.writing.text = item.text;
    const textLook = inMargin(look);
    const rows = [...stream.push(fresh, textLook), ...(item.done ? stream.end(textLook) : [])];
    const again = item.replaced && item.text !== '' ? [[span('↻ The model was asked again: its new answer follows.', 'muted')]] : [];
    return [...rows, ...again].map(indent);
  }

  private openRows(item: AssistantItem, look: Look): readonly Line[] {
    if (this.writing?.key === keyOf(item)) return this.writing.stream.open(inMargin(look)).map(indent);
    const stream = new MarkdownStream();
    const textLook = inMargin(look);
    return [...stream.push(item.text, textLook), ...stream.open(textLook)].map(indent);
  }
}

const endOf = (item: Item): string => (item.kind === 'call' ? item.progress : '');

/** Whether an item looks the same for ever. */
function isFinal(item: Item): boolean {
  if (item.kind === 'assistant' || item.kind === 'thought') return item.done;
  if (item.kind === 'user') return item.state !== 'sent'; // it may yet turn out to wait
  if (item.kind === 'shell') return item.ended !== undefined;
  return item.kind !== 'call' || isSettled(item);
}

/** A blank row between two items, but not between calls in a row, nor inside a message. */
function withGap(last: Position | undefined, item: Item, rows: readonly Line[]): readonly Line[] {
  const joined =
    last === undefined || last.key === keyOf(item) || (last.kind === 'call' && item.kind === 'call' && last.rows < TALL_CALL_ROWS);
  return rows.length === 0 || joined ? rows : [[], ...rows];
}

const inMargin = (look: Look): Look => ({ ...look, width: look.width - 2 });
const indent = (line: Line): Line => (line.length === 0 ? line : [...MARGIN, ...line]);
