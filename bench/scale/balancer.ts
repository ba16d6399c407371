import { connect, createServer, type AddressInfo, type Socket } from 'node:net';
import { once } from 'node:events';

/** How often `/ready` is asked. */
export const LOOK_MS = 200;
/** How long a connection that is refused is tried elsewhere: as Caddy does in the compose file. */
const TRY_MS = 5_000;

/** Stands before the replicas of a service. */
export interface Balancer {
  readonly port: number;
  close(): Promise<void>;
}

/** A load balancer that gives each new connection to the next replica whose `/ready` says 200. `ports`: of all that run. */
export async function startBalancer(ports: () => readonly number[]): Promise<Balancer> {
  const sockets = new Set<Socket>();
  let ready: readonly number[] = [];
  let turn = 0;
  const isReady = async (port: number): Promise<boolean> =>
    fetch(`http://127.0.0.1:${String(port)}/ready`, { signal: AbortSignal.timeout(2_000) }).then(
      async (response) => {
        await response.arrayBuffer();
        return response.status === 200;
      },
      () => false,
    );
  const look = async (): Promise<void> => {
    const all = ports();
    const are = await Promise.all(all.map(isReady));
    ready = all.filter((_, place) => are[place]);
  };
  let looking = look();
  await looking;
  const timer = setInterval(() => void (looking = looking.then(look)), LOOK_MS);

  const pass = (client: Socket, since = performance.now()): void => {
    if (client.destroyed) return;
    const port = ready[(turn += 1) % Math.max(1, ready.length)];
    const again = (): void => {
      if (performance.now() - since > TRY_MS) client.destroy();
      else setTimeout(() => pass(client, since), LOOK_MS / 4);
    };
    if (port === undefined) return again();
    const server = connect(port, '127.0.0.1').setNoDelay(true);
    server.once('error', again);
    server.once('connect', () => {
      server.off('error', again);
      sockets.add(server);
      server.on('error', () => client.destroy()).on('close', () => (sockets.delete(server), client.end()));
      client.pipe(server).pipe(client);
    });
    client.once('close', () => server.end());
  };
  const server = createServer((client) => {
    sockets.add(client);
    client.setNoDelay(true);
    client.on('error', () => client.destroy()).on('close', () => sockets.delete(client));
    pass(client);
  });
  server.listen(0, '127.0.0.1', 4_096);
  await once(server, 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    close: async () => {
      clearInterval(timer);
      await looking;
      const closed = once(server, 'close');
      server.close();
      for (const socket of sockets) socket.destroy();
      await closed;
    },
  };
}
