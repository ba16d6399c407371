import { join } from 'node:path';
import type { Recorder } from '../recording/recorder.js';
import { Link } from '../system/link.js';
import { RedisServer } from './redis-server.js';
import type { ChaosStore } from './store.js';

/** One server with an append-only file, each service with a line of its own to it. Every write is on disk before it is answered. */
export async function startSingleStore(
  folder: string,
  services: readonly string[],
  recorder: () => Pick<Recorder, 'record'>,
): Promise<ChaosStore> {
  const server = new RedisServer(
    { name: 'redis', folder: join(folder, 'redis'), settings: ['--appendonly', 'yes', '--appendfsync', 'always'] },
    recorder,
  );
  await server.process.start();
  const links = new Map<string, Link>();
  for (const name of services) links.set(name, await Link.open(`${name}-redis`, () => [{ path: server.socket }]));
  return {
    kind: 'single',
    servers: [server],
    urlFor: (service) => `redis://127.0.0.1:${String(links.get(service)?.port ?? 0)}`,
    linkOf: (service) => links.get(service),
    masters: () => Promise.resolve([server]),
    close: async () => {
      for (const link of links.values()) await link.close();
      await server.close();
    },
  };
}
