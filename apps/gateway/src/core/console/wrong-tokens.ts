import type { SteadyClock } from '../steady-clock.js';

/** Wrong tokens that one peer may try at once; it regains one in so many milliseconds. */
const USUAL = { most: 10, regainMs: 6_000 };

/** Peers that are remembered; over it the one that was heard of longest ago is forgotten. */
const MAX_PEERS = 10_000;

/** Bounds how often somebody may guess (G4). Counts in this process; a token has 256 bits anyway. */
export class WrongTokens {
  /** What each peer has used up, and when that was known: the one that was heard of last stands last. */
  private readonly peers = new Map<string, { readonly used: number; readonly atMs: number }>();

  constructor(
    private readonly clock: SteadyClock,
    private readonly limits = USUAL,
  ) {}

  /** Begins a try, which counts as wrong until it is forgiven. @returns how long the peer has to wait first, in milliseconds; 0: not at all */
  begin(peer: string): number {
    const used = this.usedNow(peer);
    const { most, regainMs } = this.limits;
    if (used > most - 1) return Math.ceil((used - most + 1) * regainMs);
    this.note(peer, used + 1);
    return 0;
  }

  /** The token was good, or nobody could tell. */
  forgive(peer: string): void {
    this.note(peer, Math.max(0, this.usedNow(peer) - 1));
  }

  private note(peer: string, used: number): void {
    this.peers.delete(peer);
    this.peers.set(peer, { used, atMs: this.clock.now() });
    const [oldest] = this.peers.keys();
    if (this.peers.size > MAX_PEERS && oldest !== undefined) this.peers.delete(oldest);
  }

  private usedNow(peer: string): number {
    const known = this.peers.get(peer);
    return known === undefined ? 0 : Math.max(0, known.used - (this.clock.now() - known.atMs) / this.limits.regainMs);
  }
}
