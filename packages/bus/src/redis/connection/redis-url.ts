import type { RedisOptions } from 'ioredis';

/** A server by its address. */
export interface Address {
  readonly host: string;
  readonly port: number;
}

/** Where a Redis is, and how to speak to it: one server (or the one that sentinels name), or the nodes of a cluster. */
export type RedisPlace =
  | { readonly kind: 'server'; readonly options: RedisOptions }
  | { readonly kind: 'cluster'; readonly nodes: Address[]; readonly options: Pick<RedisOptions, 'username' | 'password' | 'tls'> };

const MANY =
  /^redis(?<tls>s?)[+](?<kind>sentinel|cluster):\/\/(?:(?<user>[^:@/]*):(?<password>[^@/]*)@)?(?<hosts>[^/@?]+)(?:\/(?<name>[^/?]+)(?:\/(?<db>\d+))?)?(?:[?]sentinelPassword=(?<sentinelPassword>[^&]+))?$/;
const DEFAULT_PORT = { sentinel: 26_379, cluster: 6379 } as const;

const toAddress = (text: string, port: number): Address => {
  const [, host = text, given] = /^(.*?)(?::(\d+))?$/.exec(text) ?? [];
  return { host, port: given === undefined ? port : Number(given) };
};

/**
 * `redis+sentinel://[user:password@]host:port,host:port/name[/db][?sentinelPassword=…]`, `redis+cluster://[user:password@]host:port,host:port`;
 * with `rediss+` every connection is TLS, those to sentinels included. User and password are for the servers; sentinels have a password of
 * their own, or none.
 */
const toManyServers = (url: string): RedisPlace => {
  const parts = MANY.exec(url)?.groups;
  const { user = '', password = '', hosts = '', name, db = '0', sentinelPassword } = parts ?? {};
  const kind = parts?.['kind'] === 'cluster' ? 'cluster' : 'sentinel';
  const isWhole = kind === 'sentinel' ? name !== undefined : name === undefined && sentinelPassword === undefined;
  if (parts === undefined || !isWhole) {
    throw new Error(
      'REDIS_URL is not redis+sentinel://[user:password@]host:port,host:port/name[/db][?sentinelPassword=password] nor ' +
        'redis+cluster://[user:password@]host:port,host:port, or one of them with rediss+ for TLS',
    );
  }
  const servers = hosts.split(',').map((host) => toAddress(host, DEFAULT_PORT[kind]));
  const isSecure = parts['tls'] === 's';
  const common = {
    ...(user === '' ? {} : { username: decodeURIComponent(user) }),
    ...(password === '' ? {} : { password: decodeURIComponent(password) }),
    ...(isSecure ? { tls: {} } : {}), // a certificate is compared with the host that is connected to, of whichever server
  };
  if (kind === 'cluster') return { kind, nodes: servers, options: common };
  const watched = {
    ...(sentinelPassword === undefined ? {} : { sentinelPassword: decodeURIComponent(sentinelPassword) }),
    ...(isSecure ? { sentinelTLS: {}, enableTLSForSentinelMode: true } : {}),
  };
  return { kind: 'server', options: { sentinels: servers, name: name ?? '', db: Number(db), ...common, ...watched } };
};

const toOneServer = (url: string): RedisOptions => {
  if (url.startsWith('/')) return { path: url };
  const { protocol, hostname, port, pathname, username, password } = new URL(url);
  const credentials = {
    ...(username === '' ? {} : { username: decodeURIComponent(username) }),
    ...(password === '' ? {} : { password: decodeURIComponent(password) }),
  };
  if (protocol === 'unix:') return { path: decodeURIComponent(pathname), ...credentials };
  if (protocol !== 'redis:' && protocol !== 'rediss:') {
    throw new Error(
      `REDIS_URL has the scheme ${protocol} it must be redis:, rediss:, unix:, redis+sentinel:, rediss+sentinel:, redis+cluster: or rediss+cluster:`,
    );
  }
  return {
    host: hostname.replace(/^\[|\]$/g, ''),
    port: port === '' ? 6379 : Number(port),
    db: Number(pathname.slice(1) || 0),
    ...credentials,
    ...(protocol === 'rediss:' ? { tls: { servername: hostname } } : {}),
  };
};

/**
 * Reads `redis://[user:password@]host:port[/db]`, `rediss://…` with TLS, `unix:/path/to/socket`, and the forms of several servers. Throws
 * what is wrong with anything else.
 */
export const toRedisPlace = (url: string): RedisPlace =>
  /^rediss?[+]/.test(url) ? toManyServers(url) : { kind: 'server', options: toOneServer(url) };
