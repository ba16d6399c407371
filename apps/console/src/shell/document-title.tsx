import { createContext, use, useEffect } from 'react';

/** How many calls wait for a decision: shown in titles and in the navigation. Undefined while it isn't known. */
export const WaitingContext = createContext<number | undefined>(undefined);

/** Names the tab: `(2) Audit · CodeLab` while two calls wait. */
export function useTitle(title: string): void {
  const waiting = use(WaitingContext) ?? 0;
  useEffect(() => {
    document.title = `${waiting > 0 ? `(${waiting}) ` : ''}${title} · CodeLab`;
  }, [title, waiting]);
}
