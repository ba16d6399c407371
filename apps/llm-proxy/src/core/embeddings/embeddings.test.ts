import { expect, test } from 'vitest';
import { EmbeddingsWatch } from './embeddings-watch.js';
import { hashEmbedding } from './hash-embedding.js';

const near = (a: string, b: string): number => {
  const other = hashEmbedding(b);
  return hashEmbedding(a).reduce((sum, value, place) => sum + value * other[place]!, 0);
};

test('the built-in embedding puts texts with the same words near each other, and is the same everywhere', () => {
  expect([...hashEmbedding('read the file').slice(0, 4)]).toEqual([...hashEmbedding('read the file').slice(0, 4)]);
  expect(near('readFileSync(path)', 'read the file at a path')).toBeGreaterThan(
    near('readFileSync(path)', 'send an invoice to the customer') + 0.3,
  );
  expect(near('embeddings', 'embedding')).toBeGreaterThan(0.4);
  for (const text of ['word', '日本語の文', '{}', ' ', '🎉']) expect(Math.hypot(...hashEmbedding(text, 64))).toBeCloseTo(1, 5);
  expect(hashEmbedding([1, 2, 3])).toEqual(hashEmbedding([1, 2, 3]));
});

const watched = (pieces: readonly string[]): EmbeddingsWatch => {
  const watch = new EmbeddingsWatch();
  for (const piece of pieces) watch.push(Buffer.from(piece));
  return watch;
};

test('the usage is found at either end of an answer, however it is cut', () => {
  const usage = '"usage": {"prompt_tokens_details": null, "prompt_tokens": 12, "total_tokens": 12}';
  const vectors = `"data":[${'0.5,'.repeat(50_000)}1]`;
  for (const text of [`{${usage},${vectors}}`, `{${vectors},${usage}}`]) {
    for (const size of [1_000, 4_096, 70_000]) {
      const pieces = Array.from({ length: Math.ceil(text.length / size) }, (_, n) => text.slice(n * size, (n + 1) * size));
      expect(watched(pieces).usage).toEqual({ inputTokens: 12, outputTokens: 0 });
    }
  }
  expect(watched([`{${vectors}}`]).usage).toBeUndefined();
});

test('what is no JSON, or ends in its middle, is a failure of the provider', () => {
  expect(() => watched(['<html>'])).toThrow('no JSON');
  expect(() => watched(['\n ', '{"data":[']).end()).toThrow('broke off');
  expect(() => watched(['\n ', '{"data":[]}\n']).end()).not.toThrow();
});
