import type { StreamPart } from '@codelab/llm';

/**
 * Resolves with the whole stream once its first part is there, or rejects with what the stream throws before: an attempt of `askChain`.
 * The stream must be read to its end or left by `return`: it holds a connection.
 */
export async function beginStream(parts: AsyncIterable<StreamPart>): Promise<AsyncIterableIterator<StreamPart, void>> {
  const rest = parts[Symbol.asyncIterator]();
  let first: IteratorResult<StreamPart, unknown> | undefined = await rest.next();
  const whole: AsyncIterableIterator<StreamPart, void> = {
    next: async () => {
      const next = first ?? (await rest.next());
      first = undefined;
      return next.done === true ? { done: true, value: undefined } : next;
    },
    return: async () => {
      first = undefined;
      await rest.return?.(); // also where nothing was read yet: a generator would not run its body for that
      return { done: true, value: undefined };
    },
    [Symbol.asyncIterator]: () => whole,
  };
  return whole;
}
