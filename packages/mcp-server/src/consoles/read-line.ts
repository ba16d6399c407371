import type { Socket } from 'node:net';
import { MAX_LINE_CHARACTERS } from './console-wire.js';

/** The first line that comes; `undefined` if the other side goes away before, or says too much. */
export const readLine = (socket: Socket): Promise<string | undefined> =>
  new Promise((resolve) => {
    let text = '';
    socket.setEncoding('utf8');
    socket.on('data', (piece: string) => {
      text += piece;
      const end = text.indexOf('\n');
      if (end >= 0) resolve(text.slice(0, end));
      else if (text.length > MAX_LINE_CHARACTERS) socket.destroy();
    });
    socket.on('close', () => resolve(undefined));
    socket.on('error', () => socket.destroy());
  });
