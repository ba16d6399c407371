import { refuse, type Refusal } from '@codelab/protocol';
import type { Authenticate, Identity } from '@codelab/auth';
import { clearCookie, cookieName, judgePage, readCookie, writeCookie, type PageRequest } from './judge-page.js';
import type { SealedRecords } from './sealed-records.js';

/** After so long a browser that was never closed signs in again. */
const SIGNED_IN_MS = 7 * 24 * 60 * 60_000;

/** A refusal; `clear`: the `Set-Cookie` that takes away a cookie that counts no more. */
export type Refused = Refusal & { readonly clear?: string | undefined };

/** Who a request comes from, by its cookie. */
export type JudgedCookie =
  | { readonly kind: 'none' }
  | { readonly kind: 'signed_in'; readonly identity: Identity }
  | { readonly kind: 'refused'; readonly refusal: Refusal; readonly clear?: string };

const OVER = refuse('TOKEN_EXPIRED', 'you are signed out: sign in again');

/** Keeps browsers signed in: by a cookie of the console's page, which stands for a token that is judged again with every request (G1). */
export class BrowserSignIns {
  /** @param otherPages origins that may ask with a token of their own: the cookie that a browser sends beside it says nothing */
  constructor(
    private readonly records: SealedRecords,
    private readonly authenticate: Authenticate,
    private readonly otherPages: readonly string[],
  ) {}

  /** Signs a browser in by a token that was found good. @returns the `Set-Cookie` */
  async begin(token: string, isSecure: boolean): Promise<string> {
    return writeCookie(cookieName(isSecure), await this.records.put(token, SIGNED_IN_MS), isSecure);
  }

  /** Signs out. @returns the `Set-Cookie` that takes the cookie away */
  async end({ cookie, isSecure }: PageRequest): Promise<string> {
    const ticket = readCookie(cookie, cookieName(isSecure));
    if (ticket !== undefined) await this.records.take(ticket);
    return clearCookie(cookieName(isSecure), isSecure);
  }

  /** Throws `BusError` when Redis is away. */
  async judge(request: PageRequest): Promise<JudgedCookie> {
    const { isSecure } = request;
    const ticket = readCookie(request.cookie, cookieName(isSecure));
    if (ticket === undefined) return { kind: 'none' };
    const foreign = judgePage(request);
    if (foreign !== undefined)
      return this.otherPages.includes(request.origin ?? '') ? { kind: 'none' } : { kind: 'refused', refusal: foreign };
    const clear = clearCookie(cookieName(isSecure), isSecure);
    const token = await this.records.read(ticket);
    if (token === undefined) return { kind: 'refused', refusal: OVER, clear };
    const authenticated = await this.authenticate(token);
    if (authenticated.ok) return { kind: 'signed_in', identity: authenticated.identity };
    if (authenticated.code === 'UNAVAILABLE') return { kind: 'refused', refusal: authenticated };
    await this.records.take(ticket);
    return { kind: 'refused', refusal: authenticated, clear };
  }
}
