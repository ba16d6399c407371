import { ApiError } from '@codelab/llm';

/** A body and what is made of it take several times its length in memory. */
const MAX_HELD_CHARACTERS = 256 * 1024 * 1024;

const FULL = new ApiError('unavailable', 'too many large requests are served at the same time: ask again in a moment', {
  retryAfterMs: 2_000,
});

/** How much of bodies is held at the same time: a few kilobytes on the wire may be megabytes here, and many of these are gigabytes. */
export class BodyBudget {
  private held = 0;

  /** Counts a body until the function that it gives is called. Throws `ApiError` where there is no room; one body always has some. */
  hold(body: string): () => void {
    if (this.held > 0 && this.held + body.length > MAX_HELD_CHARACTERS) throw FULL;
    this.held += body.length;
    return () => void (this.held -= body.length);
  }
}
