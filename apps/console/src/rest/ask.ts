import { askRest, RestError } from '@codelab/client/observer';
import { SIGNED_OUT } from '../shell/signed-out.js';

/** Why a route gave nothing. `advice` says what a person can do about it. */
export interface Trouble {
  /** 0: there was no answer at all. */
  readonly status: number;
  /** A code of the protocol, `UNREACHABLE`, or '' where something between us and the gateway answered. */
  readonly code: string;
  readonly message: string;
  readonly advice?: string;
  /** The same question may be answered later. */
  readonly passes: boolean;
}

/** What came of a question. */
export type Answer<T> = { readonly ok: true; readonly value: T } | { readonly ok: false; readonly trouble: Trouble };

/** Asks a route of the gateway that this page came from. Never rejects. */
export async function ask<T>(method: string, path: string, body?: unknown): Promise<Answer<T>> {
  try {
    return { ok: true, value: (await askRest({}, method, path, body)) as T }; // our own gateway, of the same release
  } catch (error) {
    const trouble = toTrouble(error);
    if (trouble.status === 401 && !path.startsWith('/console/')) dispatchEvent(new Event(SIGNED_OUT));
    return { ok: false, trouble };
  }
}

/** Adds what is given to a path, as its query. */
export function withQuery(path: string, query: Readonly<Record<string, string | number | undefined>>): string {
  const pairs = Object.entries(query).filter((pair): pair is [string, string | number] => pair[1] !== undefined && pair[1] !== '');
  const text = new URLSearchParams(pairs.map(([name, value]) => [name, String(value)])).toString();
  return text === '' ? path : `${path}?${text}`;
}

/** Says of an error what was wrong and what to do. */
export function toTrouble(error: unknown): Trouble {
  if (!(error instanceof RestError))
    return {
      status: 0,
      code: 'UNREACHABLE',
      message: 'The gateway does not answer.',
      advice: 'Check the network, and whether the gateway runs. This page asks again by itself.',
      passes: true,
    };
  const { status, code, message } = error;
  return { status, code, message, advice: ADVICE[status], passes: status === 429 || status >= 500 };
}

const ADVICE: Readonly<Record<number, string>> = {
  401: 'Sign in again.',
  403: 'Your token lacks the scope for this. Ask whoever made it for another one.',
  404: 'It may have been removed, or belong to somebody else.',
  429: 'Wait a moment, then try again.',
  503: 'The store is not reachable or has no room. This page asks again by itself.',
};
