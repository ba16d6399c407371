export interface PrivateRedisSettings {
  readonly port: number;
  readonly password: string;
  readonly directory: string;
}

/**
 * The configuration of the private Redis: on loopback and behind a password, every write on disk before it is answered, nothing evicted.
 */
export function toRedisConf({ port, password, directory }: PrivateRedisSettings): string {
  const quoted = (text: string) => `"${text.replaceAll('\\', '\\\\').replaceAll('"', '\\"')}"`;
  return [
    'bind 127.0.0.1',
    `port ${port}`,
    `requirepass ${password}`,
    `dir ${quoted(directory)}`,
    `pidfile ${quoted(`${directory}/redis.pid`)}`,
    'daemonize no',
    'appendonly yes',
    'appendfsync always',
    'save ""',
    'maxmemory-policy noeviction',
    '',
  ].join('\n');
}
