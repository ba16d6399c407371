import type { ModelRequest, StreamPart } from '@codelab/llm';
import { askChain, type Asked, type ChainOptions } from './ask-chain.js';
import type { Target } from '../models/model-catalog.js';
import type { AskUpstream } from '../upstreams/upstream.js';

/** Asks a target in canonical form, under its own name of the model and with what the models file says of it. */
export function askTarget(target: Target, request: ModelRequest, ask: Omit<AskUpstream, 'entry'>): AsyncIterable<StreamPart> {
  const { upstream, model, entry } = target;
  return upstream.stream({ ...request, model }, { ...ask, entry });
}

export interface AskInOrderOptions extends ChainOptions, Omit<AskUpstream, 'entry' | 'signal'> {
  /** What a request is for one of the targets, where that differs. */
  readonly adapt?: (request: ModelRequest, target: Target) => ModelRequest;
}

/** Asks the targets of a model in canonical form. Resolves when one began to answer; the stream is whole, and throws what goes wrong later. */
export function askInOrder(
  targets: readonly Target[],
  request: ModelRequest,
  options: AskInOrderOptions,
): Promise<Asked<AsyncIterableIterator<StreamPart, void>>> {
  const { signal, traceparent, growth, onNotes, adapt = (same) => same } = options;
  const ask = {
    signal,
    traceparent,
    growth,
    onNotes,
  };
  return askChain(targets, (target) => beginStream(askTarget(target, adapt(request, target), ask)), options);
}

/**
 * Resolves with the whole stream once its first part is there, or rejects with what the stream throws before: an attempt of `askChain`.
 * The stream must be read to its end or left by `return`: it holds a connection.
 */
async function beginStream(parts: AsyncIterable<StreamPart>): Promise<AsyncIterableIterator<StreamPart, void>> {
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
