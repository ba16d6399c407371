import { LlmError, type ModelRequest, type StreamPart } from '@codelab/llm';
import type { Provider } from './provider.js';
import { decideRetry } from './retry-policy.js';

export interface AskOptions {
  readonly signal: AbortSignal;
  /** Resolves after `ms`, rejects when `signal` aborts. */
  readonly wait: (ms: number, signal: AbortSignal) => Promise<void>;
  readonly random: () => number;
  /** Milliseconds of a clock that only runs forward. */
  readonly now: () => number;
  /** Told before each wait. */
  readonly onRetry?: (error: LlmError, delayMs: number) => void;
}

/**
 * Asks a provider, again and again by the retry policy as long as nothing of an answer came. Throws an `LlmError`: the last
 * failure, one after the first part at once, or `cancelled`.
 */
export async function* askModel(
  provider: Provider,
  request: ModelRequest,
  options: AskOptions,
): AsyncGenerator<StreamPart, void, undefined> {
  const startedMs = options.now();
  for (let attempt = 1; ; attempt++) {
    let begun = false;
    try {
      for await (const part of provider.stream(request, options.signal)) {
        begun = true;
        yield part;
      }
      return;
    } catch (error) {
      const effort = { attempt, elapsedMs: options.now() - startedMs };
      const delayMs = error instanceof LlmError && !begun ? decideRetry(error, effort, options.random()) : undefined;
      if (delayMs === undefined) throw error;
      options.onRetry?.(error as LlmError, delayMs);
      await waitOrCancel(delayMs, options);
    }
  }
}

async function waitOrCancel(delayMs: number, { signal, wait }: AskOptions): Promise<void> {
  try {
    await wait(delayMs, signal);
  } catch {
    throw new LlmError('cancelled', 'The request was cancelled while it waited to be sent again.');
  }
}
