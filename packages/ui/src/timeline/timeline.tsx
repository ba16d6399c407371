import { memo, useCallback, useEffect, useLayoutEffect, useRef, useState } from 'react';
import { defaultRangeExtractor, useVirtualizer, type Range } from '@tanstack/react-virtual';
import type { SessionView } from '@codelab/client/view';
import { usePort, useSession } from '../port/session-context.js';
import { Activity } from './activity.js';
import { EmptyState } from './empty-state.js';
import { estimateHeight } from './estimate-height.js';
import { ItemBoundary } from './item-boundary.js';
import { ItemView } from './item-view.js';
import { JumpBar } from './jump-bar.js';
import { AT_END, usePlace } from './use-place.js';
import { NO_ROWS, toRows, type Row, type Rows } from './to-rows.js';

/** Rows above and below the visible ones that are drawn already. */
const OVERSCAN = 6;
/** So near to the first row older ones are loaded. */
const LOAD_AT_ROW = 8;

const itemsOf = ({ items }: SessionView) => items;
const hasOlder = ({ historyCursor }: SessionView) => historyCursor !== undefined;

/**
 * The conversation. Only what is on the screen is in the page; it stays at its end while somebody stands there, and stays where it is when
 * they don't, whatever comes below or is loaded above.
 */
export function Timeline() {
  const rows = useRows();
  const scroller = useRef<HTMLDivElement>(null);
  const [focused, setFocused] = useState<string>();
  const { keys } = rows;
  const latest = useRef(rows);
  useEffect(() => {
    latest.current = rows;
  });
  const place = usePlace(scroller, keys);
  const pinned = pinnedOf(rows, focused);
  // oxlint-disable-next-line react-hooks/incompatible-library -- what it returns is used in this component only
  const virtual = useVirtualizer<HTMLDivElement, HTMLElement>({
    count: keys.length,
    getScrollElement: () => scroller.current,
    estimateSize: useCallback((index: number) => estimateHeight((latest.current.rows[index] ?? rows.rows[index])!), [keys]), // oxlint-disable-line react-hooks/exhaustive-deps -- an estimate counts when a row comes
    getItemKey: useCallback((index: number) => keys[index]!, [keys]),
    rangeExtractor: useCallback((range: Range) => withPinned(defaultRangeExtractor(range), pinned), [pinned]),
    overscan: OVERSCAN,
    paddingStart: 24,
    paddingEnd: 24,
    initialOffset: () => Number.MAX_SAFE_INTEGER,
  });
  virtual.shouldAdjustScrollPositionOnItemSizeChange = () => false; // `place` does
  useLayoutEffect(() => place.settle(virtual)); // whatever drew it anew
  const items = virtual.getVirtualItems();
  const isLoading = useOlder(items.length === 0 ? Infinity : (virtual.range?.startIndex ?? Infinity));
  if (keys.length === 0) return <EmptyState />;
  const seen = virtual.range;
  return (
    <div className="cl-timeline">
      <div
        className="cl-timeline__scroller"
        ref={scroller}
        role="feed"
        aria-label="Conversation"
        aria-busy={isLoading}
        tabIndex={0}
        onFocus={(event) => setFocused(keyAt(event.target))}
        onBlur={() => setFocused(undefined)}
      >
        {isLoading && <p className="cl-timeline__loading">Loading older messages …</p>}
        <div className="cl-timeline__all" style={{ height: virtual.getTotalSize() }}>
          {items.map(({ index, key, start }) => {
            const row = rows.rows[index];
            return (
              row && (
                <article
                  key={key}
                  ref={virtual.measureElement}
                  data-index={index}
                  data-key={row.key}
                  className={row.isJoined ? 'cl-row cl-row--joined' : 'cl-row'}
                  aria-posinset={index + 1}
                  aria-setsize={keys.length}
                  aria-label={labelOf(row)}
                  tabIndex={-1}
                  style={{ transform: `translateY(${start}px)` }}
                >
                  <DrawnRow row={row} />
                </article>
              )
            );
          })}
        </div>
        <Activity />
      </div>
      <JumpBar
        rows={rows.rows}
        firstShown={seen?.startIndex ?? 0}
        lastShown={seen?.endIndex ?? 0}
        isAtEnd={virtual.isAtEnd(AT_END)}
        onJump={(index) => (index === undefined ? virtual.scrollToEnd() : virtual.scrollToIndex(index, { align: 'center' }))}
      />
    </div>
  );
}

/** A token of the model draws one row. */
const DrawnRow = memo(function DrawnRow({ row }: { readonly row: Row }) {
  return (
    <ItemBoundary of={row.item}>
      <ItemView item={row.item} steps={row.steps} />
    </ItemBoundary>
  );
});

function useRows(): Rows {
  const items = useSession(itemsOf);
  const [memory] = useState(() => ({ items: undefined, rows: NO_ROWS }));
  if (memory.items !== items) Object.assign(memory, { items, rows: toRows(items, memory.rows) });
  return memory.rows;
}

/** After a failure older items are asked for again when so much time has passed. */
const AGAIN_MS = 3_000;

/** Loads older items when the first row comes near. */
function useOlder(firstIndex: number): boolean {
  const port = usePort();
  const isThere = useSession(hasOlder);
  const [isLoading, setIsLoading] = useState(false);
  const isAsked = useRef(false);
  const wants = isThere && !isLoading && firstIndex <= LOAD_AT_ROW;
  useEffect(() => {
    if (!wants || isAsked.current) return;
    isAsked.current = true;
    const load = async (): Promise<void> => {
      setIsLoading(true);
      const isLoaded = await port.loadOlder().then(
        () => true,
        () => false, // the host has said why; scrolling here asks again
      );
      if (!isLoaded) await new Promise((resolve) => setTimeout(resolve, AGAIN_MS));
      isAsked.current = false;
      setIsLoading(false);
    };
    queueMicrotask(() => void load());
  }, [wants, port]);
  return isLoading;
}

/** Questions that are in the page wherever one looks; more of them at once nobody has half answered. */
const MAX_PINNED = 12;

/** Rows that stay in the page: one with the focus, and those of questions, with the answers that were begun. The same text means the same rows. */
function pinnedOf({ rows, keys }: Rows, focused: string | undefined): string {
  const asking = rows.flatMap(({ item }, index) => (item.kind === 'call' && item.progress === 'waiting' ? [index] : [])).slice(-MAX_PINNED);
  return [...asking, ...(focused === undefined ? [] : [keys.indexOf(focused)])].join();
}

function withPinned(indexes: number[], pinned: string): number[] {
  if (pinned === '') return indexes;
  const more = pinned.split(',').map(Number);
  return [...new Set([...indexes, ...more])].filter((index) => index >= 0).sort((one, other) => one - other);
}

const keyAt = (element: Element): string | undefined => element.closest<HTMLElement>('[data-key]')?.dataset['key'];

const LABELS = {
  user: 'You',
  assistant: 'CodeLab',
  call: 'Tool call',
  thought: 'Thought',
  turn_end: 'End of the turn',
  notice: 'Notice',
  shell: 'Command of yours',
} as const;

const labelOf = ({ item }: Row): string => LABELS[item.kind];
