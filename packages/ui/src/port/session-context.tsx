import { createContext, useCallback, useContext, useRef, useSyncExternalStore, type ReactNode } from 'react';
import type { SessionView } from '@codelab/client/view';
import type { PortFacts } from './port-facts.js';
import type { Question } from './question.js';
import type { SessionPort } from './session-port.js';

const SessionContext = createContext<SessionPort | undefined>(undefined);

/** Gives the components below it a session. Another port is another session: mount the components anew with a `key`. */
export function SessionProvider({ port, children }: { readonly port: SessionPort; readonly children: ReactNode }) {
  return <SessionContext value={port}>{children}</SessionContext>;
}

/** The session of the components around; throws where no {@link SessionProvider} stands. */
export function usePort(): SessionPort {
  const port = useContext(SessionContext);
  if (port === undefined) throw new Error('a session component stands outside of <SessionProvider port={…}>');
  return port;
}

/**
 * A part of the session, as it is now. The component is drawn anew only when the part has changed: by identity, or by `isSame`, so that a
 * selector may make a new value each time.
 */
export function useSession<T>(select: (view: SessionView) => T, isSame: (one: T, other: T) => boolean = Object.is): T {
  return useSelected((port) => select(port.view()), isSame);
}

const NO_QUESTIONS: readonly Question[] = [];

/** What waits for the human at this very machine. */
export const useQuestions = (): readonly Question[] => useSelected((port) => port.questions?.() ?? NO_QUESTIONS);

const NO_FACTS: PortFacts = {};

/** What the host knows beside the session. */
export function useFacts<T>(select: (facts: PortFacts) => T, isSame: (one: T, other: T) => boolean = Object.is): T {
  return useSelected((port) => select(port.facts?.() ?? NO_FACTS), isSame);
}

function useSelected<T>(select: (port: SessionPort) => T, isSame: (one: T, other: T) => boolean = Object.is): T {
  const port = usePort();
  const last = useRef<{ readonly value: T }>(undefined);
  const subscribe = useCallback((listener: () => void) => port.subscribe(listener), [port]);
  return useSyncExternalStore(subscribe, () => {
    const value = select(port);
    if (last.current !== undefined && isSame(last.current.value, value)) return last.current.value;
    last.current = { value };
    return value;
  });
}
