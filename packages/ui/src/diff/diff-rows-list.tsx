import { useVirtualizer } from '@tanstack/react-virtual';
import { useEffect, useRef, useState, type KeyboardEvent } from 'react';
import type { DiffRow } from './diff-rows.js';
import { spokenLine } from './diff-rows.js';
import { Row, type RowActions } from './diff-row.js';

/** As many rows stand in the page as they are; of more only those in sight, in a frame that scrolls. */
const MAX_PLAIN_ROWS = 240;
/** Pixels: what a row is expected to need until it is measured. */
const ROW_HEIGHT = 20;

interface RowsProps {
  readonly rows: readonly DiffRow[];
  readonly pathOf: (section: number) => string;
  readonly actions: RowActions;
  readonly label: string;
  /** A row to bring into sight; a new object each time. */
  readonly target?: { readonly index: number } | undefined;
  /** Absent: the keys belong to somebody else. */
  readonly onStep?: ((by: 1 | -1) => void) | undefined;
}

/** The rows of a diff: `n` and `p`, or F7 and Shift-F7, go from change to change. */
export function DiffRows(props: RowsProps) {
  const { rows, label, target, onStep } = props;
  const isLong = rows.length > MAX_PLAIN_ROWS;
  const onKeyDown = (event: KeyboardEvent): void => {
    if (onStep === undefined || event.ctrlKey || event.metaKey || event.altKey) return;
    const by = event.key === 'n' || (event.key === 'F7' && !event.shiftKey) ? 1 : event.key === 'p' || event.key === 'F7' ? -1 : undefined;
    if (by === undefined) return;
    event.preventDefault();
    event.stopPropagation();
    onStep(by);
  };
  const frame = {
    className: 'cl-diff-rows',
    tabIndex: 0,
    role: 'region',
    'aria-label': label,
    'aria-keyshortcuts': onStep && 'n p F7 Shift+F7',
    onKeyDown,
  } as const;
  return (
    <>
      {isLong ? <VirtualRows {...props} frame={frame} /> : <PlainRows {...props} frame={frame} />}
      <span className="cl-hidden" aria-live="polite">
        {target === undefined ? '' : spokenRow(rows[target.index])}
      </span>
    </>
  );
}

type Frame = Readonly<Record<string, unknown>> & { readonly className: string };

function PlainRows({ rows, pathOf, actions, target, frame }: RowsProps & { readonly frame: Frame }) {
  const list = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (target !== undefined) list.current?.children[target.index]?.scrollIntoView({ block: 'center', behavior: 'smooth' });
  }, [target]);
  return (
    <div {...frame} ref={list}>
      {rows.map((row, index) => (
        <div key={row.key} data-current={target?.index === index || undefined}>
          <Row row={row} path={pathOf(row.section)} actions={actions} />
        </div>
      ))}
    </div>
  );
}

function VirtualRows({ rows, pathOf, actions, target, frame }: RowsProps & { readonly frame: Frame }) {
  'use no memo'; // the virtualizer is one object that changes
  const [scroller, setScroller] = useState<HTMLDivElement | null>(null);
  // oxlint-disable-next-line react-hooks/incompatible-library -- 'use no memo' says so
  const virtualizer = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller,
    estimateSize: (index) => (rows[index]!.kind === 'file' ? 36 : ROW_HEIGHT),
    getItemKey: (index) => rows[index]!.key,
    overscan: 20,
  });
  useEffect(() => {
    if (target !== undefined) virtualizer.scrollToIndex(target.index, { align: 'center' });
  }, [target, virtualizer]);
  return (
    <div {...frame} className={`${frame.className} cl-diff-rows--long`} ref={setScroller}>
      <div className="cl-diff-sizer" style={{ height: virtualizer.getTotalSize() }}>
        {virtualizer.getVirtualItems().map(({ key, index, start }) => (
          <div
            key={key}
            ref={virtualizer.measureElement}
            data-index={index}
            data-current={target?.index === index || undefined}
            className="cl-diff-slot"
            style={{ transform: `translateY(${start}px)` }}
          >
            <Row row={rows[index]!} path={pathOf(rows[index]!.section)} actions={actions} />
          </div>
        ))}
      </div>
    </div>
  );
}

function spokenRow(row: DiffRow | undefined): string {
  if (row?.kind === 'line') return `${spokenLine(row.hunk.lines[row.index]!)}: ${row.hunk.lines[row.index]!.text}`;
  if (row?.kind !== 'pair') return '';
  const line = row.hunk.lines[row.left ?? row.right!]!;
  return `${spokenLine(line)}: ${line.text}`;
}
