import type { RedisOptions } from 'ioredis';

/** A server by its address. */
export interface Address {
  readonly host: string;
  readonly port: number;
}

/** Where a Redis is, and how to speak to it: one server (or the one that sentinels name), or the nodes of a cluster. */
export type RedisPlace =
  | { readonly kind: 'server'; readonly options: RedisOptions }
  | { readonly kind: 'cluster'; readonly nodes: Address[]; readonly options: Pick<RedisOptions, 'username' | 'password'> };

const MANY =
  /^redis[+](?<kind>sentinel|cluster):\/\/(?:(?<user>[^:@/]*):(?<password>[^@/]*)@)?(?<hosts>[^/@]+)(?:\/(?<name>[^/]+)(?:\/(?<db>\d+))?)?$/;
const DEFAULT_PORT = { sentinel: 26_379, cluster: 6379 } as const;

const toAddress = (text: string, port: number): Address => {
  const [, host = text, given] = /^(.*?)(?::(\d+))?$/.exec(text) ?? [];
  return { host, port: given === undefined ? port : Number(given) };
};

/** `redis+sentinel://[user:password@]host:port,host:port/name[/db]`, `redis+cluster://[user:password@]host:port,host:port`. */
const toManyServers = (url: string): RedisPlace => {
  const parts = MANY.exec(url)?.groups;
  const { user = '', password = '', hosts = '', name, db = '0' } = parts ?? {};
  const kind = parts?.['kind'] === 'cluster' ? 'cluster' : 'sentinel';
  if (parts === undefined || (kind === 'sentinel') !== (name !== undefined)) {
    throw new Error(
      'REDIS_URL is not redis+sentinel://[user:password@]host:port,host:port/name[/db] nor redis+cluster://host:port,host:port',
    );
  }
  const servers = hosts.split(',').map((host) => toAddress(host, DEFAULT_PORT[kind]));
  const credentials = {
    ...(user === '' ? {} : { username: decodeURIComponent(user) }),
    ...(password === '' ? {} : { password: decodeURIComponent(password) }),
  };
  if (kind === 'cluster') return { kind, nodes: servers, options: credentials };
  return { kind: 'server', options: { sentinels: servers, name: name ?? '', db: Number(db), ...credentials } };
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
    throw new Error(`REDIS_URL has the scheme ${protocol} it must be redis:, rediss:, unix:, redis+sentinel: or redis+cluster:`);
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
  url.startsWith('redis+') ? toManyServers(url) : { kind: 'server', options: toOneServer(url) };
