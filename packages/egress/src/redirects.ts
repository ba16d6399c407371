import { EgressError } from './egress-error.js';

/** Redirects that are followed. */
export const MAX_REDIRECTS = 3;
/** What tells where else to ask; 304 and 300 don't. */
export const REDIRECTS: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);
/** These two repeat the request as it was; the others become a GET, as in browsers. */
const REPEATING: ReadonlySet<number> = new Set([307, 308]);
/** What describes the request and holds no secret of its sender. */
const HARMLESS: ReadonlySet<string> = new Set(['accept', 'accept-language', 'content-type']);

interface Sent<Body> {
  readonly method: string;
  readonly headers?: Readonly<Record<string, string>> | undefined;
  readonly body?: Body | undefined;
}

/** Whether a URL may be asked for at all, before its host is looked up. */
export function toTarget(text: string, base?: URL): URL {
  if (!URL.canParse(text, base?.href)) throw new EgressError('forbidden', 'the URL is not valid');
  const url = new URL(text, base);
  if (url.protocol !== 'http:' && url.protocol !== 'https:')
    throw new EgressError('forbidden', `${url.protocol} is neither http: nor https:`);
  if (url.username !== '' || url.password !== '') throw new EgressError('forbidden', 'the URL carries a password; put it into a header');
  return url;
}

/** Where a redirect leads; `redirects` were followed before it. Throws `EgressError` where it may not be followed. */
export function nextTarget(location: string, from: URL, redirects: number): URL {
  if (redirects >= MAX_REDIRECTS) throw new EgressError('failed', `more than ${String(MAX_REDIRECTS)} redirects`);
  const next = toTarget(location, from);
  if (from.protocol === 'https:' && next.protocol === 'http:') throw new EgressError('forbidden', 'a redirect from https to http');
  return next;
}

/** The request behind a redirect. What may hold a secret goes to the first origin only. */
export function redirected<Body>({ method, headers = {}, body }: Sent<Body>, status: number, staysHere: boolean): Sent<Body> {
  const kept = Object.entries(headers).filter(([name]) => staysHere || HARMLESS.has(name.toLowerCase()));
  if (REPEATING.has(status) || method === 'GET' || method === 'HEAD') {
    return { method, headers: Object.fromEntries(kept), body };
  }
  return { method: 'GET', headers: Object.fromEntries(kept.filter(([name]) => name.toLowerCase() !== 'content-type')) };
}
