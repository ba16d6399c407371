import { ask, withQuery, type Answer } from './ask.js';

/** Somebody who is signed in. The token stays in the browser's cookie, where no script reads it. */
export interface Person {
  readonly tenant: string;
  readonly sub: string;
  readonly scopes: readonly string[];
  readonly expires_at_ms?: number;
}

/** Who is signed in, if anybody, and how one can be. */
export interface Me {
  readonly signed_in?: Person;
  readonly version: string;
  readonly methods: { readonly token: boolean; readonly oidc?: { readonly name: string } };
}

export const readMe = (): Promise<Answer<Me>> => ask('GET', '/console/me');

/** The token goes out once, and is kept nowhere in this page. */
export const signIn = (token: string): Promise<Answer<Person>> => ask('POST', '/console/sign-in', { token });

export const signOut = (): Promise<Answer<undefined>> => ask('POST', '/console/sign-out');

/** Where a sign-in with the provider begins; the browser comes back to the page that it is on. */
export const oidcPath = (): string => withQuery('/console/oidc', { to: location.pathname });

/** Whether a token has a scope. */
export const may = ({ scopes }: Person, scope: string): boolean => scopes.includes(scope);
