import { expect, test } from 'vitest';
import { decodeReply, encodeCommand } from './resp.js';

test('a command is its words, each with its length in bytes', () => {
  expect(encodeCommand(['SET', 'naïve', ''])).toBe('*3\r\n$3\r\nSET\r\n$6\r\nnaïve\r\n$0\r\n\r\n');
});

test.each([
  ['+PONG\r\n', 'PONG'],
  [':42\r\n', 42],
  ['$6\r\nnaïve\r\n', 'naïve'],
  ['$-1\r\n', null],
  ['*2\r\n$4\r\nname\r\n$3\r\nyes\r\n', ['name', 'yes']],
  ['*0\r\n', []],
  ['-NOAUTH Authentication required.\r\n', new Error('NOAUTH Authentication required.')],
])('%j is read, and is incomplete in all its beginnings', (text, value) => {
  const bytes = Buffer.from(text);
  expect(decodeReply(bytes)).toEqual({ value, next: bytes.length });
  for (let end = 0; end < bytes.length; end += 1) expect(decodeReply(bytes.subarray(0, end))).toBeUndefined();
});

test('a server that is no Redis is an error, not a wait', () => {
  expect(decodeReply(Buffer.from('HTTP/1.1 400 Bad Request\r\n'))?.value).toEqual(new Error('this is not Redis'));
});
