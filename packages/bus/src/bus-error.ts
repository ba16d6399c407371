/** Redis is away or answered what it should not. Nothing that was asked is promised to have happened. */
export class BusError extends Error {
  override readonly name = 'BusError';
}
