import { connect } from 'node:net';
import type { StackRecord } from './stack-record.js';

/**
 * Holds a stack that ends when nobody uses it. Returns the way to let go; undefined when the stack is on its way out.
 * A stack without `hold_port` was started by a person and needs no holding.
 */
export async function holdStack(record: StackRecord): Promise<(() => void) | undefined> {
  if (record.hold_port === undefined) return () => undefined;
  const socket = connect({ host: '127.0.0.1', port: record.hold_port });
  socket.write(`${record.token}\n`);
  const held = await new Promise<boolean>((resolve) => {
    socket.once('data', () => resolve(true));
    socket.once('error', () => resolve(false));
    socket.once('close', () => resolve(false));
  });
  socket.on('error', () => undefined); // the stack ended: the sessions on it notice by themselves
  socket.unref();
  return held ? () => socket.destroy() : undefined;
}
