import { useState } from 'react';
import { ask, withQuery, type Answer, type Trouble } from '../rest/ask.js';
import { useResource, type Resource } from './use-resource.js';

type Page<Name extends string, T> = { readonly [key in Name]: readonly T[] } & { readonly next_cursor?: string };

/** A list that comes in parts. */
export interface List<T> extends Omit<Resource<readonly T[]>, 'value'> {
  readonly items: readonly T[] | undefined;
  /** Absent where nothing more is known of. */
  readonly more?: () => void;
  readonly loadingMore: boolean;
}

/**
 * Asks for a list by its path and query, and for more of it on demand. The first part is asked for again every `everyMs`; later parts then go,
 * unless somebody has asked for them.
 * @param name the field of the answer that holds the items
 */
export function useList<T, Name extends string>(
  path: string,
  name: Name,
  query: Readonly<Record<string, string | number | undefined>> = {},
  options: { readonly everyMs?: number } = {},
): List<T> {
  const address = withQuery(path, query);
  const [extra, setExtra] = useState<Extra<T>>(NONE);
  const own = extra.address === address ? extra : (NONE as Extra<T>);
  const first = useResource(address, () => ask<Page<Name, T>>('GET', address), own.items.length > 0 ? {} : options);
  const cursor = own.items.length > 0 || own.ended ? own.cursor : first.value?.next_cursor;

  const loadMore = async (): Promise<void> => {
    setExtra({ ...own, address, loading: true });
    const answer: Answer<Page<Name, T>> = await ask('GET', withQuery(path, { ...query, cursor }));
    setExtra((before) => {
      if (before.address !== address) return before; // another list by now
      if (!answer.ok) return { ...own, address, loading: false, trouble: answer.trouble };
      const items = [...own.items, ...answer.value[name]];
      return { address, items, cursor: answer.value.next_cursor, ended: answer.value.next_cursor === undefined, loading: false };
    });
  };

  const items = first.value?.[name];
  return {
    items: items && [...items, ...own.items],
    trouble: first.trouble ?? own.trouble,
    loading: first.loading,
    loadingMore: own.loading,
    more: cursor === undefined ? undefined : () => void loadMore(),
    reload: () => {
      setExtra(NONE);
      first.reload();
    },
  };
}

interface Extra<T> {
  readonly address: string;
  readonly items: readonly T[];
  readonly cursor?: string;
  readonly ended: boolean;
  readonly loading: boolean;
  readonly trouble?: Trouble;
}
const NONE: Extra<never> = { address: '', items: [], ended: false, loading: false };
