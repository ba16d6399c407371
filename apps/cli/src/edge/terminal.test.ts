import { PassThrough } from 'node:stream';
import type { ReadStream, WriteStream } from 'node:tty';
import { afterEach, expect, test } from 'vitest';
import type { Key } from '../core/input/key.js';
import { Terminal } from './terminal.js';

const tty = (): PassThrough =>
  Object.assign(new PassThrough(), { setRawMode: () => undefined, ref: () => undefined, unref: () => undefined });
const input = tty();
const keys: Key[] = [];
const terminal = new Terminal(input as unknown as ReadStream, tty() as unknown as WriteStream); // as far as a terminal is used here

afterEach(() => terminal.stop());

test('what was typed while the terminal still read lines is sent; later a line feed begins a line', async () => {
  terminal.start({ onKey: (key) => keys.push(key), onRedraw: () => undefined, onEnd: () => undefined, onSuspend: () => undefined });
  const read = async (text: string): Promise<readonly string[]> => {
    keys.length = 0;
    input.write(text);
    await new Promise((resolve) => setImmediate(resolve));
    return keys.map((key) => (key.kind === 'named' ? key.name : key.kind === 'text' ? key.text : key.kind));
  };
  expect(await read('hi\n')).toEqual(['h', 'i', 'enter']);
  expect(await read('a\n')).toEqual(['a', 'newline']);
});
