import { useLayoutEffect, useRef, type RefObject } from 'react';
import type { Virtualizer } from '@tanstack/react-virtual';

/** Pixels from the end that still count as the end. */
export const AT_END = 80;

/** Where somebody stands: at the end, or at a row, whose upper edge is so many pixels below that of what they see. */
type Place = { readonly kind: 'end' } | { readonly kind: 'row'; readonly key: string; readonly below: number };

/** The list of rows. */
export type RowList = Virtualizer<HTMLDivElement, HTMLElement>;

/** Keeps a place: see {@link usePlace}. */
export interface PlaceKeeper {
  /** To be called whenever sizes or the scroll position have changed. */
  settle(list: RowList): void;
}

/**
 * Keeps people where they stand while rows come, grow or turn out to be higher than they were thought: at the end of the conversation, or at
 * the row that they see first. Only their own scrolling changes the place. It acts before anything is painted.
 */
export function usePlace(scroller: RefObject<HTMLDivElement | null>, keys: readonly string[]): PlaceKeeper {
  const state = useRef<{ place: Place; top: number; keys: readonly string[] }>({ place: { kind: 'end' }, top: -1, keys });
  useLayoutEffect(() => {
    state.current.keys = keys;
  });
  return {
    settle: (list) => {
      const element = scroller.current;
      if (!element) return;
      const known = state.current;
      if (known.top !== -1 && Math.abs(element.scrollTop - known.top) >= 1) known.place = placeOf(element, list); // they have scrolled
      else {
        const top = topOf(known.place, element, list, known.keys);
        if (top !== undefined && Math.abs(element.scrollTop - top) >= 1) element.scrollTop = top;
      }
      known.top = element.scrollTop;
    },
  };
}

function placeOf(element: HTMLElement, list: RowList): Place {
  const { scrollTop, scrollHeight, clientHeight } = element;
  if (scrollHeight - clientHeight - scrollTop <= AT_END) return { kind: 'end' };
  const row = list.getVirtualItemForOffset(scrollTop);
  return row === undefined ? { kind: 'end' } : { kind: 'row', key: String(row.key), below: row.start - scrollTop };
}

function topOf(place: Place, element: HTMLElement, list: RowList, keys: readonly string[]): number | undefined {
  if (place.kind === 'end') return element.scrollHeight - element.clientHeight;
  const row = list.measurementsCache[keys.indexOf(place.key)];
  return row && Math.max(0, row.start - place.below);
}
