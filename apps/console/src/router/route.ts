import { useSyncExternalStore } from 'react';

/** Where the page is: its path in parts, and its query. */
export interface Route {
  /** `['sessions', 'a b']` of `/sessions/a%20b`. */
  readonly parts: readonly string[];
  readonly query: Readonly<Record<string, string>>;
}

/** Told beside `popstate`, which browsers tell of their own buttons only. */
const MOVED = 'codelab:moved';

const subscribe = (listener: () => void): (() => void) => {
  addEventListener('popstate', listener);
  addEventListener(MOVED, listener);
  return () => {
    removeEventListener('popstate', listener);
    removeEventListener(MOVED, listener);
  };
};

/** Where the page is, now and whenever it moves. */
export function useRoute(): Route {
  return readRoute(useSyncExternalStore(subscribe, () => location.pathname + location.search));
}

/** A path with its query, such as `/audit?session_id=a`. */
export function readRoute(address: string): Route {
  const { pathname, searchParams } = new URL(address, 'http://page');
  return {
    parts: pathname
      .split('/')
      .filter((part) => part !== '')
      .map(decode),
    query: Object.fromEntries(searchParams),
  };
}

function decode(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part; // no such encoding: nothing of ours made it
  }
}

/** Goes to a path of this page. `replace`: going back skips the place that is left. */
export function go(address: string, { replace = false } = {}): void {
  if (address === location.pathname + location.search) return;
  if (replace) history.replaceState(null, '', address);
  else history.pushState(null, '', address);
  dispatchEvent(new Event(MOVED));
  if (!replace) scrollTo(0, 0);
}

/** Sets or, with '', removes fields of the query; the rest stays. A filter that is typed leaves no trail of places. */
export function changeQuery(changes: Readonly<Record<string, string>>): void {
  const query = new URLSearchParams(location.search);
  for (const [name, value] of Object.entries(changes)) {
    if (value === '') query.delete(name);
    else query.set(name, value);
  }
  const text = query.toString();
  go(text === '' ? location.pathname : `${location.pathname}?${text}`, { replace: true });
}
