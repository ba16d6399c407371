import { refuse, type Refusal } from '@codelab/protocol';
import type { Authenticate, Authenticated, Identity } from '@codelab/auth';
import type { Clock } from '@codelab/clock';
import { clearCookie, cookieName, judgePage, readCookie, writeCookie, type PageRequest } from './judge-page.js';
import type { SealedRecords } from './sealed-records.js';

/** After so long a browser that was never closed signs in again. */
const SIGNED_IN_MS = 7 * 24 * 60 * 60_000;

/** A refusal; `clear`: the `Set-Cookie` that takes away a cookie that counts no more. */
export type Refused = Refusal & { readonly clear?: string | undefined };

/** Who a request comes from, by its cookie. */
export type JudgedCookie =
  | { readonly kind: 'none' }
  | { readonly kind: 'signed_in'; readonly identity: Identity; readonly watch: WatchSignIn }
  | { readonly kind: 'refused'; readonly refusal: Refusal; readonly clear?: string };

/** Hears once that the browser has signed out: at once at this gateway, within seconds at another. Returns what ends it. */
export type WatchSignIn = (onOver: () => void) => () => void;

/** Who was let in; `watch`: by the cookie of a browser. */
export type Admitted = Extract<Authenticated, { ok: true }> & { readonly watch?: WatchSignIn };

/** How often a sign-in is looked at on which sockets rest. */
const LOOK_MS = 5_000;

const OVER = refuse('TOKEN_EXPIRED', 'you are signed out: sign in again');

/** Keeps browsers signed in: by a cookie of the console's page, which stands for a token that is judged again with every request (G1). */
export class BrowserSignIns {
  private readonly watched = new Map<string, { readonly listeners: Set<() => void>; callOff: () => void }>();

  /** @param otherPages origins that may ask with a token of their own: the cookie that a browser sends beside it says nothing */
  constructor(
    private readonly records: SealedRecords,
    private readonly authenticate: Authenticate,
    private readonly otherPages: readonly string[],
    private readonly clock: Clock,
  ) {}

  /**
   * Signs a browser in by a token that was found good; the sign-in that it had before is over.
   * @param before the ticket of that, where the request can't say it itself
   * @returns the `Set-Cookie`
   */
  async begin(token: string, page: PageRequest, before = this.ticketOf(page)): Promise<string> {
    const cookie = writeCookie(cookieName(page), await this.records.put(token, SIGNED_IN_MS), page.isSecure);
    if (before !== undefined) await this.finish(before);
    return cookie;
  }

  /** What the browser that asks is signed in by, if it is. */
  ticketOf(page: PageRequest): string | undefined {
    return readCookie(page.cookie, cookieName(page));
  }

  /** Signs out. @returns the `Set-Cookie` that takes the cookie away */
  async end(page: PageRequest): Promise<string> {
    const ticket = this.ticketOf(page);
    if (ticket !== undefined) await this.finish(ticket);
    return clearCookie(cookieName(page), page.isSecure);
  }

  /** Throws `BusError` when Redis is away. */
  async judge(request: PageRequest): Promise<JudgedCookie> {
    const ticket = this.ticketOf(request);
    if (ticket === undefined) return { kind: 'none' };
    const foreign = judgePage(request);
    if (foreign !== undefined)
      return this.otherPages.includes(request.origin ?? '') ? { kind: 'none' } : { kind: 'refused', refusal: foreign };
    const clear = clearCookie(cookieName(request), request.isSecure);
    const token = await this.records.read(ticket);
    if (token === undefined) return { kind: 'refused', refusal: OVER, clear };
    const authenticated = await this.authenticate(token);
    if (authenticated.ok) {
      return { kind: 'signed_in', identity: authenticated.identity, watch: (onOver) => this.watch(ticket, onOver) };
    }
    if (authenticated.code === 'UNAVAILABLE') return { kind: 'refused', refusal: authenticated };
    await this.finish(ticket);
    return { kind: 'refused', refusal: authenticated, clear };
  }

  private async finish(ticket: string): Promise<void> {
    await this.records.take(ticket);
    this.tell(ticket);
  }

  private watch(ticket: string, onOver: () => void): () => void {
    const known = this.watched.get(ticket) ?? { listeners: new Set<() => void>(), callOff: () => undefined };
    known.listeners.add(onOver);
    if (!this.watched.has(ticket)) {
      this.watched.set(ticket, known);
      this.lookLater(ticket);
    }
    return () => {
      known.listeners.delete(onOver);
      if (known.listeners.size > 0 || this.watched.get(ticket) !== known) return;
      known.callOff();
      this.watched.delete(ticket);
    };
  }

  /** One look for all that rests on a sign-in: another gateway may have ended it. */
  private lookLater(ticket: string): void {
    const known = this.watched.get(ticket);
    if (known === undefined) return;
    known.callOff = this.clock.after(LOOK_MS, () => {
      this.records
        .read(ticket)
        .then((token) => token === undefined && this.tell(ticket))
        .catch(() => undefined) // the store is away: looked at later
        .finally(() => this.watched.get(ticket) === known && this.lookLater(ticket));
    });
  }

  private tell(ticket: string): void {
    const known = this.watched.get(ticket);
    this.watched.delete(ticket);
    known?.callOff();
    for (const listener of [...(known?.listeners ?? [])]) listener();
  }
}
