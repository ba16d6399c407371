import { createContext, use, useEffect, useState, type ReactNode } from 'react';
import { ask, withQuery, type Answer, type Trouble } from '../../rest/ask.js';
import type { WaitingCall } from '../../rest/approvals.js';

/** The calls that wait for a decision, wherever they were asked: those of the session used last first, of each the oldest first. */
export interface WaitingCalls {
  /** Undefined until they are known. */
  readonly calls: readonly WaitingCall[] | undefined;
  readonly trouble: Trouble | undefined;
}

interface Inbox {
  readonly revision: string;
  readonly approvals: readonly WaitingCall[];
}

const Context = createContext<WaitingCalls>({ calls: undefined, trouble: undefined });

/** What waits, as it is now. */
export const useWaitingCalls = (): WaitingCalls => use(Context);

/** An answer is waited for as long as that; browsers allow few connections, so only a page that is looked at holds one. */
const WAIT_MS = 25_000;
const HIDDEN_PAUSE_MS = 10_000;
const FIRST_PAUSE_MS = 1_000;
const LONGEST_PAUSE_MS = 15_000;

/** Follows what waits, for all pages below. */
export function WaitingCallsProvider({ children }: { children: (waiting: WaitingCalls) => ReactNode }) {
  const [waiting, setWaiting] = useState<WaitingCalls>({ calls: undefined, trouble: undefined });
  useEffect(
    () =>
      follow((answer) =>
        setWaiting((before) =>
          answer.ok ? { calls: answer.value.approvals, trouble: undefined } : { calls: before.calls, trouble: answer.trouble },
        ),
      ),
    [],
  );
  return <Context value={waiting}>{children(waiting)}</Context>;
}

/** Asks for the inbox and for each change of it. @returns what ends it */
function follow(tell: (answer: Answer<Inbox>) => void): () => void {
  const ended = new AbortController();
  const run = async (): Promise<void> => {
    let since: string | undefined;
    let failures = 0;
    while (!ended.signal.aborted) {
      const waitMs = document.hidden || since === undefined ? 0 : WAIT_MS;
      const answer = await ask<Inbox>('GET', withQuery('/api/v1/approvals', { since, wait_ms: waitMs }));
      if (ended.signal.aborted) return;
      failures = answer.ok ? 0 : failures + 1;
      if (!answer.ok || answer.value.revision !== since) tell(answer);
      if (answer.ok) since = answer.value.revision;
      else if (!answer.trouble.passes) return;
      const pauseMs =
        failures > 0 ? Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** (failures - 1)) : document.hidden ? HIDDEN_PAUSE_MS : 0;
      if (pauseMs > 0) await pauseUnlessShown(pauseMs, ended.signal);
    }
  };
  void run();
  return () => ended.abort();
}

/** Ends early when the page is looked at again, or nobody waits any more. */
function pauseUnlessShown(pauseMs: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const done = (): void => {
      clearTimeout(timer);
      document.removeEventListener('visibilitychange', onShown);
      resolve();
    };
    const onShown = (): void => (document.hidden ? undefined : done());
    const timer = setTimeout(done, pauseMs);
    document.addEventListener('visibilitychange', onShown);
    signal.addEventListener('abort', done, { once: true });
  });
}
