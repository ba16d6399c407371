/**
 * What browsers are kept signed in by, and what a sign-in that is under way has to remember: texts that are sealed by whoever keeps them, found
 * by their name only, and gone by themselves. Methods throw `BusError` when Redis is away.
 */
export interface SignIns {
  /** @param name not to be guessed: at least 128 random bits, or a hash of them */
  keep(name: string, sealed: string, ttlMs: number): Promise<void>;
  read(name: string): Promise<string | undefined>;
  /** Reads and removes in one step: of several who ask at once, one is given it. */
  take(name: string): Promise<string | undefined>;
}
