import { createServer, type AddressInfo, type Socket } from 'node:net';
import { chatAnswer, chatStream, messagesAnswer, messagesStream, STREAM_TOKENS } from './canned-answers.js';

/**
 * A provider of both dialects for measuring: reads requests with their length given or in chunks, and answers with the same bytes each time. Not
 * an HTTP server but as much of one as the programs under test need, so that it takes as little as possible of the machine that they share.
 */
const SLICE = 16 * 1024;
const HEAD_END = Buffer.from('\r\n\r\n');
const CHUNKS_END = Buffer.from('0\r\n\r\n');
const STREAM = Buffer.from('"stream":true');
const LONG = Buffer.from('long');

const whole = (json: string): Buffer =>
  Buffer.from(`HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: ${String(Buffer.byteLength(json))}\r\n\r\n${json}`);

/** Each event is a chunk of its own. */
const chunked = (events: readonly string[]): Buffer => {
  const chunks = events.map((text) => `${Buffer.byteLength(text).toString(16)}\r\n${text}\r\n`);
  return Buffer.from(
    `HTTP/1.1 200 OK\r\ncontent-type: text/event-stream; charset=utf-8\r\ntransfer-encoding: chunked\r\n\r\n${chunks.join('')}0\r\n\r\n`,
  );
};

const ANSWERS = {
  chat: {
    whole: whole(chatAnswer),
    short: chunked(chatStream(STREAM_TOKENS.short)),
    long: chunked(chatStream(STREAM_TOKENS.long)),
  },
  messages: {
    whole: whole(messagesAnswer),
    short: chunked(messagesStream(STREAM_TOKENS.short)),
    long: chunked(messagesStream(STREAM_TOKENS.long)),
  },
};

const answerFor = (head: string, body: Buffer): Buffer => {
  const answers = head.startsWith('POST /v1/messages') ? ANSWERS.messages : ANSWERS.chat;
  if (!body.includes(STREAM)) return answers.whole;
  return body.subarray(0, 2_048).includes(LONG) ? answers.long : answers.short;
};

/** Writes as fast as the other side reads. */
const writeSlices = (socket: Socket, bytes: Buffer, from = 0): void => {
  for (let at = from; at < bytes.length; at += SLICE) {
    if (socket.write(bytes.subarray(at, at + SLICE))) continue;
    socket.once('drain', () => writeSlices(socket, bytes, at + SLICE));
    return;
  }
};

/** Where the request that begins at 0 ends, or -1 while it isn't there. */
const endOf = (head: string, received: Buffer, bodyAt: number): number => {
  const length = /content-length: *(\d+)/i.exec(head)?.[1];
  if (length !== undefined) return received.length >= bodyAt + Number(length) ? bodyAt + Number(length) : -1;
  const end = received.indexOf(CHUNKS_END, bodyAt);
  return end < 0 ? -1 : end + CHUNKS_END.length;
};

const serve = (socket: Socket): void => {
  let received: Buffer = Buffer.alloc(0);
  socket.setNoDelay(true);
  socket.on('error', () => socket.destroy());
  socket.on('data', (bytes: Buffer) => {
    received = received.length === 0 ? bytes : Buffer.concat([received, bytes]);
    for (;;) {
      const headEnd = received.indexOf(HEAD_END);
      if (headEnd < 0) return;
      const head = received.toString('latin1', 0, headEnd);
      const end = endOf(head, received, headEnd + HEAD_END.length);
      if (end < 0) return;
      const body = received.subarray(headEnd + HEAD_END.length, end);
      received = received.subarray(end);
      writeSlices(socket, answerFor(head, body));
    }
  });
};

const server = createServer(serve);
server.listen(0, '127.0.0.1', () => {
  process.send?.({ type: 'ready', port: (server.address() as AddressInfo).port });
  process.on('disconnect', () => process.exit(0));
});
