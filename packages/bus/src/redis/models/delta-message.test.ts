import { expect, test } from 'vitest';
import { verifies } from '@codelab/testkit';
import { decodeDelta, encodeDelta } from './delta-message.js';

const step = { stepId: 'step_1', attempt: 2 };

test(verifies('R5:delta-text', 'a delta comes out as it went in, whatever its text and its tool are called'), () => {
  for (const text of ['', 'a', '\x1e\x1e', '\u2028{"', 'é'.repeat(10)]) {
    const delta = { ...step, offset: 7, text, tool: { index: 0, name: 'a\x1eb' } };
    expect(encodeDelta(delta).map(decodeDelta)).toEqual([delta]);
  }
});

test('a wait comes out as it went in, and names no step where older releases look for one', () => {
  const wait = { code: 'rate_limited', message: 'a\x1eb "c"', attempt: 2, maxAttempts: 4, delayMs: 35_000 };
  const delta = { ...step, offset: 0, text: '', wait };
  expect(encodeDelta(delta).map(decodeDelta)).toEqual([delta]);
  expect(encodeDelta(delta)[0]?.startsWith('\x1e')).toBe(true);
});

test(verifies('G4:delta-size', 'a large delta travels in pieces that follow each other; the tool comes with the last'), () => {
  const text = '漢'.repeat(20_000);
  const messages = encodeDelta({ ...step, offset: 3, text, tool: { index: 1, name: 'x' } });
  const pieces = messages.map(decodeDelta);
  expect(Math.max(...messages.map((message) => Buffer.byteLength(message)))).toBeLessThanOrEqual(16 * 1024 + 100);
  expect(pieces.map((piece) => piece.text).join('')).toBe(text);
  let offset = 3;
  for (const [index, piece] of pieces.entries()) {
    expect(piece.offset).toBe(offset);
    expect(piece.tool).toEqual(index === pieces.length - 1 ? { index: 1, name: 'x' } : undefined);
    offset += piece.text.length;
  }
});

test('a thought comes out as it went in, in pieces where it is long', () => {
  for (const thought of ['hm', 'a\x1eb "c"', '\x01'.repeat(20_000)]) {
    const messages = encodeDelta({ ...step, offset: 0, text: '', thought });
    expect(messages.map((message) => decodeDelta(message).thought).join('')).toBe(thought);
    expect(Math.max(...messages.map((message) => Buffer.byteLength(message)))).toBeLessThanOrEqual(16 * 1024 + 100);
    expect(decodeDelta(messages[0]!)).toMatchObject(step);
  }
});
