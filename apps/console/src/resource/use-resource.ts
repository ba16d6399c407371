import { useCallback, useEffect, useRef, useState } from 'react';
import type { Answer, Trouble } from '../rest/ask.js';

/** Something that is asked for and kept on the screen while it is asked for again. */
export interface Resource<T> {
  /** The last good answer, also while `trouble` says why there is no newer one. */
  readonly value: T | undefined;
  readonly trouble: Trouble | undefined;
  readonly loading: boolean;
  readonly reload: () => void;
}

/** What was last seen under each key, so that a page which is opened again stands there at once. */
const seen = new Map<string, unknown>();
const MAX_SEEN = 100;
const FIRST_PAUSE_MS = 1_000;
const LONGEST_PAUSE_MS = 15_000;

/** Forgets everything: another person is there. */
export const forgetResources = (): void => seen.clear();

/**
 * Asks when `key` changes and every `everyMs` while the page is looked at; what fails and may pass is asked for again with growing pauses.
 * @param key names what `load` asks for; undefined: nothing is asked for yet
 */
export function useResource<T>(
  key: string | undefined,
  load: () => Promise<Answer<T>>,
  { everyMs }: { readonly everyMs?: number } = {},
): Resource<T> {
  const [state, setState] = useState<{ readonly key?: string; readonly trouble?: Trouble; readonly loading: boolean }>({ loading: true });
  const [round, setRound] = useState(0);
  const latest = useRef(load);
  useEffect(() => {
    latest.current = load;
  });

  useEffect(() => {
    if (key === undefined) return;
    let ended = false;
    let timer: ReturnType<typeof setTimeout> | undefined;
    let failures = 0;
    const askAgainIn = (pauseMs: number): void => {
      clearTimeout(timer);
      timer = setTimeout(() => (document.hidden ? undefined : void run()), pauseMs);
    };
    const run = async (): Promise<void> => {
      const answer = await latest.current();
      if (ended) return;
      if (answer.ok) remember(key, answer.value);
      failures = answer.ok ? 0 : failures + 1;
      setState({ key, trouble: answer.ok ? undefined : answer.trouble, loading: false });
      if (!answer.ok && answer.trouble.passes) askAgainIn(Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** (failures - 1)));
      else if (everyMs !== undefined) askAgainIn(everyMs);
    };
    const onShown = (): void => {
      if (!document.hidden && (everyMs !== undefined || failures > 0)) askAgainIn(0);
    };
    void run();
    document.addEventListener('visibilitychange', onShown);
    return () => {
      ended = true;
      clearTimeout(timer);
      document.removeEventListener('visibilitychange', onShown);
    };
  }, [key, everyMs, round]);

  const reload = useCallback(() => setRound((count) => count + 1), []);
  const isCurrent = state.key === key;
  return {
    value: key === undefined ? undefined : (seen.get(key) as T | undefined), // put there by the same key
    trouble: isCurrent ? state.trouble : undefined,
    loading: isCurrent ? state.loading : true,
    reload,
  };
}

function remember(key: string, value: unknown): void {
  seen.delete(key);
  seen.set(key, value);
  for (const oldest of seen.keys()) {
    if (seen.size <= MAX_SEEN) return;
    seen.delete(oldest);
  }
}
