import { createContext, use } from 'react';
import { may, type Person } from '../rest/identity.js';

export const PersonContext = createContext<Person | undefined>(undefined);

/** Whether whoever is signed in may do this: what they may not is not offered. The gateway decides it anyway. */
export function useMay(scope: string): boolean {
  const person = use(PersonContext);
  return person !== undefined && may(person, scope);
}
