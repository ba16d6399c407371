/** Where one Redis listens, and what it wants to hear first. */
export interface RedisAddress {
  readonly at: { readonly path: string } | { readonly host: string; readonly port: number };
  readonly tls: boolean;
  readonly login: readonly string[];
  /** The place without a password. */
  readonly shown: string;
}

/**
 * The address in a `REDIS_URL` of one server: `redis://`, `rediss://`, `unix:/path`. Undefined for the forms that name several (Sentinel,
 * Cluster): which of them to ask only the services know.
 */
export function toRedisAddress(url: string): RedisAddress | undefined {
  if (/^rediss?[+]/.test(url)) return undefined;
  const { protocol, hostname, port, pathname, username, password } = new URL(url.startsWith('/') ? `unix:${url}` : url);
  const words = [username, password].map(decodeURIComponent).filter((word) => word !== '');
  const login = password === '' ? [] : ['AUTH', ...words];
  if (protocol === 'unix:') return { at: { path: decodeURIComponent(pathname) }, tls: false, login, shown: pathname };
  const host = hostname.replace(/^\[|\]$/g, '') || '127.0.0.1';
  return { at: { host, port: Number(port || 6379) }, tls: protocol === 'rediss:', login, shown: `${hostname}:${port || 6379}` };
}
