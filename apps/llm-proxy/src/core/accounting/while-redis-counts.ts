import { BusError } from '@codelab/bus';
import { ApiError } from '@codelab/llm';

/** Reads what is counted in Redis; while it is away the caller is told so, and no more (L1). */
export async function whileRedisCounts<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof BusError)) throw error;
    throw new ApiError('unavailable', 'Redis, where this is counted, is away or slow right now. Try again in a moment.');
  }
}
