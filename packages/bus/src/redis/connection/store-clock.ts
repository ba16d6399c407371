/** Redis' clock, told from ours. Ours is the monotonic one: nobody who sets the time of this machine moves what we know of Redis'. */
export class StoreClock {
  private offsetMs = 0;
  private tick = 0;

  /** @param ownMs a clock that only goes forward, in milliseconds */
  constructor(private readonly ownMs: () => number = () => performance.timeOrigin + performance.now()) {}

  /** Asks for the time, which is Redis' in the middle of the exchange. To be asked again and again: clocks drift, and are set. */
  async learn(time: () => Promise<readonly [seconds: string, micros: string]>): Promise<void> {
    const asked = this.ownMs();
    const [seconds, micros] = await time();
    this.offsetMs = Number(seconds) * 1000 + Number(micros) / 1000 - (asked + this.ownMs()) / 2;
  }

  /** Milliseconds since 1970, with a fraction that makes each reading another one. */
  now(): number {
    this.tick = (this.tick + 1) % 4_096;
    return Math.floor(this.ownMs() + this.offsetMs) + this.tick / 4_096;
  }
}
