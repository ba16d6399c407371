import { BusError } from '@codelab/bus';
import { ApiError } from '@codelab/llm';

/** Does what needs Redis; while it is away the caller is told so, and no more (L1). */
export async function whileRedisServes<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof BusError)) throw error;
    throw new ApiError('unavailable', 'Redis, which knows your tools and IDEs, is away or slow right now. Try again in a moment.');
  }
}
