import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import { afterAll, expect, test } from 'vitest';
import { eventually, verifies } from '@codelab/testkit';
import { openUpstream } from '../__fixtures__/open-upstream.js';
import type { RelayedAnswer } from '../upstream.js';

const MIB = 1024 * 1024;
const LITTLE = 2 * MIB;

/** Much that becomes small, and what stays as large as it is: more than the buffers of two sockets hold. */
const PLAIN = Buffer.concat([Buffer.alloc(16 * MIB, 'x'), randomBytes(24 * MIB)]);

const closing: (() => unknown)[] = [];
afterAll(async () => {
  for (const end of closing.splice(0).reverse()) await end();
});

interface Packing {
  readonly relay: () => Promise<RelayedAnswer>;
  /** How much of its answer it got rid of. */
  readonly taken: () => number;
  /** Its connection is closed: whether all of the answer had gone. */
  readonly over: Promise<boolean>;
}

/** An upstream that packs its answer. */
async function serve(encoding: string, packed: Buffer): Promise<Packing> {
  let taken = 0;
  let close!: (isWhole: boolean) => void;
  const over = new Promise<boolean>((resolve) => (close = resolve));
  const server = createServer((request, response) => {
    request.resume();
    response.writeHead(200, { 'content-type': 'text/event-stream', 'content-encoding': encoding });
    response.on('close', () => close(response.writableFinished));
    const write = (): void => {
      while (taken < packed.length) {
        const piece = packed.subarray(taken, taken + 64 * 1024);
        taken += piece.length;
        if (!response.write(piece)) return void response.once('drain', write);
      }
      response.end();
    };
    write();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const baseUrl = `http://127.0.0.1:${String((server.address() as AddressInfo).port)}/v1`;
  const upstream = openUpstream({ type: 'openai', baseUrl });
  closing.push(
    () => (server.close(), server.closeAllConnections()),
    () => upstream.close(),
  );
  const signal = new AbortController().signal;
  return { relay: () => upstream.relay({ dialect: 'chat', body: '{}', stream: true, headers: {}, signal }), taken: () => taken, over };
}

test.each([
  ['gzip', () => promisify(gzip)(PLAIN, { level: 1 })],
  ['br', () => promisify(brotliCompress)(PLAIN, { params: { [constants.BROTLI_PARAM_QUALITY]: 0 } })],
] as const)(
  verifies('G4:upstream-backpressure', 'an answer that came packed with %s is unpacked no faster than the caller reads'),
  async (encoding, pack) => {
    const packed = await pack();
    const { relay, taken } = await serve(encoding, packed);
    const answer = await relay();
    const given: Buffer[] = [];
    let [bytes, reads, ended] = [0, false, false];
    answer.pour({
      data: (piece) => {
        given.push(piece);
        bytes += piece.length;
        return reads;
      },
      end: (failure) => {
        expect(failure).toBeUndefined();
        ended = true;
      },
    });
    let [before, still] = [-1, 0];
    await eventually('all stands still', () => {
      still = bytes > 0 && before === bytes + taken() ? still + 1 : 0;
      before = bytes + taken();
      return still > 20;
    });
    expect(bytes).toBeLessThan(LITTLE);
    expect(taken()).toBeLessThan(packed.length / 2);

    for (let i = 0; i < 20; i++) {
      answer.goOn(); // one piece at a time
      await sleep(1);
    }
    expect(bytes).toBeLessThan(LITTLE);

    reads = true;
    answer.goOn();
    await eventually('all is read', () => ended);
    expect(Buffer.concat(given).equals(PLAIN)).toBe(true);
  },
);

test('a caller that leaves while the unpacker is full ends the request', async () => {
  const { relay, over } = await serve('gzip', await promisify(gzip)(PLAIN, { level: 1 }));
  const { body } = await relay();
  const reader = body[Symbol.asyncIterator]();
  await reader.next();
  await reader.return?.();
  expect(await over).toBe(false);
});

test('padding behind a packed answer is passed over, and the connection is free again', async () => {
  const packed = await promisify(gzip)('{"a":1}');
  const { relay, over } = await serve('gzip', Buffer.concat([packed, Buffer.alloc(8 * MIB)]));
  expect(await text((await relay()).body)).toBe('{"a":1}');
  expect(await over).toBe(true);
});
