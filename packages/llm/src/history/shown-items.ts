import { headAndTail, referenceTo, SHORT_RESULT_CHARACTERS } from './left-out.js';
import { type HistoryItem, type HistoryToolCall, isViewItem, type SaidItem, type SummaryItem, type ToolItem } from './history-item.js';

/** What a model is shown of a history: what was said and done since the last summary, which comes first. */
export interface ShownItems {
  readonly summary?: SummaryItem;
  /** Their places in the history: the first is shown, the one after the last isn't there yet. */
  readonly from: number;
  readonly items: readonly SaidItem[];
}

/** Which part of a history a model is shown, before anything in it is cut. */
export function findShown(history: readonly HistoryItem[]): { readonly from: number; readonly summary?: SummaryItem } {
  const place = history.findLastIndex(({ role }) => role === 'summary' || role === 'clear');
  const last = history[place];
  if (last?.role === 'summary') return { from: Math.min(last.up_to, place), summary: last };
  return { from: place + 1 };
}

/** What a model is shown of a history: the same for everybody who asks. A result whose call is not shown any more becomes a note. */
export function shownItems(history: readonly HistoryItem[], toModelName: (canonical: string) => string): ShownItems {
  if (!history.some(isViewItem)) return { from: 0, items: history as readonly SaidItem[] }; // none of the others is there
  const { from, summary } = findShown(history);
  const cuts = cutsOf(history);
  const calls = new Map<string, HistoryToolCall>();
  const items: SaidItem[] = [];
  for (let place = from; place < history.length; place += 1) {
    const item = history[place]!;
    if (isViewItem(item)) continue;
    if (item.role === 'assistant') for (const call of item.tool_calls) calls.set(call.call_id, call);
    if (item.role !== 'tool') items.push(limited(item, cuts.limits[place] ?? Infinity));
    else {
      const call = calls.get(item.call_id);
      items.push(call === undefined ? toNote(item) : cutResult(item, call, { place, cuts, toModelName }));
    }
  }
  return { from, summary, items };
}

interface Cuts {
  readonly upTo: number;
  /** The longest text that is shown of an item, by its place. */
  readonly limits: readonly number[];
}

function cutsOf(history: readonly HistoryItem[]): Cuts {
  const limits: number[] = [];
  let [upTo, limit] = [0, Infinity];
  for (let place = history.length - 1; place >= 0; place -= 1) {
    limits[place] = limit;
    const item = history[place]!;
    if (item.role !== 'cut') continue;
    upTo = Math.max(upTo, item.up_to);
    limit = Math.min(limit, item.limit ?? Infinity);
  }
  return { upTo, limits };
}

interface CutContext {
  readonly place: number;
  readonly cuts: Cuts;
  readonly toModelName: (canonical: string) => string;
}

function cutResult(item: ToolItem, call: HistoryToolCall, { place, cuts, toModelName }: CutContext): ToolItem {
  if (place < cuts.upTo && isLong(item)) return { ...item, content: referenceTo(call, item.content, toModelName), images: undefined };
  return limited(item, cuts.limits[place] ?? Infinity);
}

/** Whether a reference to a result would save something. */
export const isLong = ({ content, images = [] }: ToolItem): boolean => content.length > SHORT_RESULT_CHARACTERS || images.length > 0;

function limited<Item extends SaidItem>(item: Item, limit: number): Item {
  if (limit === Infinity) return item;
  const content = headAndTail(item.content, limit);
  if (item.role !== 'user' || item.attachments === undefined) return content === item.content ? item : { ...item, content };
  const attachments = item.attachments.map((file) =>
    file.content === undefined || file.media_type !== undefined ? file : { ...file, content: headAndTail(file.content, limit) },
  );
  return { ...item, content, attachments };
}

/** The call stands in a summary: what came of it is told all the same (R2). */
const toNote = ({ call_id, tool_name, content, at_ms }: ToolItem): SaidItem => ({
  role: 'note',
  content: `A result of the call ${call_id} of ${tool_name}, which was made before this point: ${headAndTail(content, 4_000)}`,
  at_ms,
});
