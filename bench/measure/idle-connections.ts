import { WebSocket } from 'ws';
import type { Target } from './drive-turn.js';
import { residentBytes } from './process-cost.js';

const AT_ONCE = 100;

const connectOne = (target: Target, session: string): Promise<WebSocket> =>
  new Promise((resolve, reject) => {
    const socket = new WebSocket(`${target.ws}/${session}`, {
      headers: { authorization: `Bearer ${target.token}` },
      perMessageDeflate: false,
    });
    const greeting = target.greeting(session);
    socket.once('error', reject);
    socket.once('open', () => {
      for (const frame of greeting) socket.send(JSON.stringify(frame));
      if (greeting.length === 0) resolve(socket);
    });
    socket.once('message', () => resolve(socket));
  });

const connectMany = async (target: Target, prefix: string, connections: number): Promise<WebSocket[]> => {
  const sockets: WebSocket[] = [];
  for (let n = 0; n < connections; n += AT_ONCE) {
    sockets.push(...(await Promise.all(Array.from({ length: AT_ONCE }, (_, k) => connectOne(target, `${prefix}-${String(n + k)}`)))));
  }
  return sockets;
};

const closeAll = (sockets: readonly WebSocket[]): Promise<unknown> =>
  Promise.all(
    sockets.map(
      (socket) =>
        new Promise((resolve) => {
          socket.once('close', resolve);
          socket.close();
        }),
    ),
  );

/**
 * Bytes that an idle, greeted connection costs the process that holds it. As many connections are opened and closed before, so that
 * what a process allocates while they come, and keeps for the next ones, is not counted as theirs.
 */
export async function idleConnectionBytes(target: Target, pid: number, connections: number): Promise<number> {
  await closeAll(await connectMany(target, 'warm', connections));
  const before = await residentBytes(pid);
  const sockets = await connectMany(target, 'idle', connections);
  const after = await residentBytes(pid);
  await closeAll(sockets);
  return (after - before) / connections;
}
