import { connect as connectPlain, type Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';
import type { RedisAddress } from '../../core/stack/redis-address.js';
import { decodeReply, encodeCommand, type RespValue } from '../../core/stack/resp.js';

/**
 * Sends a few commands to a Redis and returns one answer each, an error answer as an `Error`. Rejects when it can't be reached, refuses
 * the login, or says nothing for `timeoutMs`. For a look at Redis, not for work with it.
 */
export async function askRedis(
  { at, tls, login }: RedisAddress,
  commands: readonly (readonly string[])[],
  timeoutMs = 2_000,
): Promise<readonly RespValue[]> {
  const socket: Socket = tls && 'host' in at ? connectTls({ ...at, servername: at.host }) : connectPlain(at);
  const first = login.length > 0 ? [login] : [];
  try {
    const answers = await exchange(socket, [...first, ...commands], timeoutMs);
    const refused = first.length > 0 ? answers[0] : undefined;
    if (refused instanceof Error) throw refused;
    return answers.slice(first.length);
  } finally {
    socket.destroy();
  }
}

function exchange(socket: Socket, commands: readonly (readonly string[])[], timeoutMs: number): Promise<readonly RespValue[]> {
  return new Promise((resolve, reject) => {
    const answers: RespValue[] = [];
    let bytes: Buffer = Buffer.alloc(0);
    socket.setTimeout(timeoutMs, () => reject(new Error(`no answer within ${timeoutMs} ms`)));
    socket.once('error', reject);
    socket.once('close', () => reject(new Error('the connection was closed')));
    socket.on('data', (chunk) => {
      bytes = Buffer.concat([bytes, chunk]);
      for (let reply = decodeReply(bytes); reply !== undefined && answers.length < commands.length; reply = decodeReply(bytes)) {
        answers.push(reply.value);
        bytes = bytes.subarray(reply.next);
      }
      if (answers.length === commands.length) resolve(answers);
    });
    socket.write(commands.map(encodeCommand).join(''));
  });
}
