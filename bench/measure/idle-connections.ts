import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { WebSocket } from 'ws';
import type { Target } from './drive-turn.js';

const AT_ONCE = 100;
/** Channels stay subscribed for a while after the last connection of their session, and a heap gives pages back late. */
const SETTLING_MS = 11_000;

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

/** Bytes that a process, or an idle, greeted connection of it, takes once the garbage is collected. */
export interface Memory {
  /** Objects in use. */
  readonly live: number;
  /** Pages, but those of the heap's young generation. */
  readonly resident: number;
}

/** What a process takes that was loaded with `report-memory.cjs`, once it is idle. */
export async function memoryOf(pid: number, folder: string): Promise<Memory> {
  await setTimeout(SETTLING_MS);
  const file = join(folder, String(pid));
  await rm(file, { force: true });
  process.kill(pid, 'SIGUSR2');
  for (;;) {
    const text = await readFile(file, 'utf8').catch(() => undefined);
    if (text !== undefined) return JSON.parse(text) as Memory;
    await setTimeout(20);
  }
}

/**
 * What an idle connection costs the process that holds it. As many connections are opened and closed before, so that what a process allocates
 * while they come, and keeps for the next ones, is not counted as theirs.
 * @param folder where the process reports its memory
 */
export async function idleConnectionCost(target: Target, pid: number, connections: number, folder: string): Promise<Memory> {
  await closeAll(await connectMany(target, 'warm', connections));
  const before = await memoryOf(pid, folder);
  const sockets = await connectMany(target, 'idle', connections);
  const after = await memoryOf(pid, folder);
  await closeAll(sockets);
  return { live: (after.live - before.live) / connections, resident: (after.resident - before.resident) / connections };
}
