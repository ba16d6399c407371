import { BusError, QuotaError } from '@codelab/bus';
import { ApiError } from '@codelab/llm';

/** A failure as the caller is told of it: while Redis is away that, and no more (L1). */
const toTold = (error: unknown): unknown => {
  if (error instanceof QuotaError) return new ApiError('rate_limited', error.message);
  if (!(error instanceof BusError)) return error;
  return new ApiError('unavailable', 'Redis, which knows your tools and IDEs, is away or slow right now. Try again in a moment.');
};

/** Does what needs Redis. */
export async function whileRedisServes<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw toTold(error);
  }
}

/** The same for what comes piece by piece. */
export async function* streamWhileRedisServes<T>(pieces: AsyncIterable<T>): AsyncGenerator<T, void, undefined> {
  try {
    yield* pieces;
  } catch (error) {
    throw toTold(error);
  }
}
