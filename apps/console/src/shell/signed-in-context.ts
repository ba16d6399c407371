import { createContext, use } from 'react';
import { may, type Person } from '../rest/identity.js';

/** Who is signed in, and how to end it. */
export interface SignedIn {
  readonly person: Person;
  readonly version: string;
  readonly signOut: () => void;
}

export const SignedInContext = createContext<SignedIn | undefined>(undefined);

/** Whether whoever is signed in may do this: what they may not is not offered. The gateway decides it anyway. */
export function useMay(scope: string): boolean {
  const signedIn = use(SignedInContext);
  return signedIn !== undefined && may(signedIn.person, scope);
}
