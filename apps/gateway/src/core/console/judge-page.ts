import { refuse, type Refusal } from '@codelab/protocol';

/** What a request says of the page that it comes from. */
export interface PageRequest {
  readonly method: string;
  readonly isUpgrade: boolean;
  /** It came by TLS, as far as this process or a proxy that it trusts can tell. */
  readonly isSecure: boolean;
  readonly host?: string | undefined;
  readonly origin?: string | undefined;
  /** `Sec-Fetch-Site`. */
  readonly fetchSite?: string | undefined;
  /** `X-CodeLab-Console`: a page of another origin can't send it without being asked first, and nobody answers that question. */
  readonly mark?: string | undefined;
  readonly cookie?: string | undefined;
}

const READS: ReadonlySet<string> = new Set(['GET', 'HEAD']);

/**
 * Why a request isn't one of the console's own page, if it isn't. The origin is this gateway's, to the letter; whoever changes something or opens
 * a socket has one. Programs have no cookies and need none of this: they send a token.
 */
export function judgePage({ method, isUpgrade, isSecure, host, origin, fetchSite, mark }: PageRequest): Refusal | undefined {
  if (fetchSite !== undefined && fetchSite !== 'same-origin') return FOREIGN;
  if (origin === undefined) {
    if (isUpgrade || !READS.has(method)) return refuse('FORBIDDEN', 'a cookie counts only with the Origin of the console');
  } else if (!isOwn(origin, host, isSecure)) return FOREIGN;
  if (!isUpgrade && mark !== '1') return refuse('FORBIDDEN', 'a cookie counts only with the header X-CodeLab-Console: 1');
  return undefined;
}

const FOREIGN = refuse('FORBIDDEN', 'a cookie counts only from the console of this gateway: this is a page of another origin');

/** By TLS the scheme is known; without, a proxy that nobody named may have taken it off. */
const isOwn = (origin: string, host: string | undefined, isSecure: boolean): boolean =>
  origin === `https://${host ?? ''}` || (!isSecure && origin === `http://${host ?? ''}`);

/**
 * The name of the cookie. By TLS it is bound to this host, and no other host can set it. Browsers send a cookie to every port of a host, so the
 * port is part of the name: two gateways of one machine don't sign each other's browsers out.
 */
export function cookieName({ isSecure, host = '' }: Pick<PageRequest, 'isSecure' | 'host'>, name = 'codelab'): string {
  const port = /:(\d{1,5})$/.exec(host)?.[1];
  return `${isSecure ? '__Host-' : ''}${name}${port === undefined ? '' : `-${port}`}`;
}

/** The value of a cookie; nothing where it isn't there, or is there more than once: one of them is somebody else's. */
export function readCookie(header: string | undefined, name: string): string | undefined {
  const values = (header ?? '')
    .split(';')
    .map((pair) => pair.trim())
    .filter((pair) => pair.startsWith(`${name}=`))
    .map((pair) => pair.slice(name.length + 1));
  return values.length === 1 && values[0] !== '' ? values[0] : undefined;
}

/**
 * A `Set-Cookie` that no script can read and no other site makes a browser send; `Lax`: but for a link or redirect to here. It ends with the
 * browser, or after so many seconds.
 */
export function writeCookie(
  name: string,
  value: string,
  isSecure: boolean,
  { maxAgeS, sameSite = 'Strict' }: { readonly maxAgeS?: number; readonly sameSite?: 'Strict' | 'Lax' } = {},
): string {
  const attributes = ['Path=/', 'HttpOnly', `SameSite=${sameSite}`, ...(isSecure ? ['Secure'] : [])];
  return [`${name}=${value}`, ...attributes, ...(maxAgeS === undefined ? [] : [`Max-Age=${String(maxAgeS)}`])].join('; ');
}

/** A `Set-Cookie` that takes one away. */
export const clearCookie = (name: string, isSecure: boolean): string => writeCookie(name, '', isSecure, { maxAgeS: 0 });
