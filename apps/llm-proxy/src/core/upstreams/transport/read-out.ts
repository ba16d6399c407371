import type { Readable } from 'node:stream';

/** How long the end of a body may take after the answer is whole; then its connection is closed instead of kept. */
const READ_OUT_MS = 1_000;

/** Lets the rest of a body pass, so that its connection can be kept: the answer is whole, and nobody reads what follows. */
export function readOut(body: Readable): void {
  if (body.readableEnded || body.destroyed) return;
  const timer = setTimeout(() => body.destroy(), READ_OUT_MS);
  timer.unref();
  body.once('close', () => clearTimeout(timer));
  body.resume();
}
