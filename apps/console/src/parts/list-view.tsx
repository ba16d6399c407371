import type { ReactNode } from 'react';
import type { List } from '../resource/use-list.js';
import { TroubleBox } from './trouble-box.js';

/** A column of a table. */
export interface Column<T> {
  readonly name: string;
  readonly show: (item: T) => ReactNode;
  /** Numbers stand at the right. */
  readonly number?: true;
  /** Left out where there is no room for it. */
  readonly minor?: true;
  /** Takes the room that others leave. */
  readonly wide?: true;
}

/** A table of one kind of things; on a phone each row is a card. */
export function Table<T>({
  label,
  columns,
  items,
  keyOf,
}: {
  label: string;
  columns: readonly Column<T>[];
  items: readonly T[];
  keyOf: (item: T, index: number) => string;
}) {
  const classOf = ({ number, minor, wide }: Column<T>): string =>
    [number && 'co-number', minor && 'co-minor', wide && 'co-wide'].filter(Boolean).join(' ');
  return (
    <div className="co-table-frame">
      <table className="co-table" aria-label={label}>
        <thead>
          <tr>
            {columns.map((column) => (
              <th key={column.name} scope="col" className={classOf(column)}>
                {column.name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {items.map((item, index) => (
            <tr key={keyOf(item, index)}>
              {columns.map((column) => (
                <td key={column.name} className={classOf(column)} data-name={column.name}>
                  {column.show(item)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

/** What a list shows while it comes, where it is empty or can't be had, and under it. */
export function ListView<T>({ list, empty, children }: { list: List<T>; empty: ReactNode; children: (items: readonly T[]) => ReactNode }) {
  const { items, trouble, loading } = list;
  return (
    <>
      {trouble && <TroubleBox trouble={trouble} onRetry={list.reload} />}
      {items === undefined && loading && !trouble && <Loading />}
      {items?.length === 0 && <div className="co-empty">{empty}</div>}
      {items !== undefined && items.length > 0 && children(items)}
      {list.more && (
        <p className="co-more">
          <button type="button" className="cl-button" onClick={list.more} disabled={list.loadingMore}>
            {list.loadingMore ? 'Loading …' : 'Show more'}
          </button>
        </p>
      )}
    </>
  );
}

/** Something comes. */
export function Loading() {
  return (
    <p className="co-loading" role="status">
      Loading …
    </p>
  );
}
