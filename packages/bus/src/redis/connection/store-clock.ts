/** Redis' clock, told from ours. Ours is the monotonic one: nobody who sets the time of this machine moves what we know of Redis'. */
export class StoreClock {
  private offsetMs: number | undefined = undefined;
  private tick = 0;

  /** @param ownMs a clock that only goes forward, in milliseconds */
  constructor(private readonly ownMs: () => number = () => performance.timeOrigin + performance.now()) {}

  /**
   * Asks for the time, which is Redis' at some moment of the exchange: in its middle, unless what is known fits. So a slow exchange moves nothing
   * that a quick one told. To be asked again and again: clocks drift, and are set.
   */
  async learn(time: () => Promise<readonly [seconds: string, micros: string]>): Promise<void> {
    const asked = this.ownMs();
    const [seconds, micros] = await time();
    const [told, answered] = [Number(seconds) * 1000 + Number(micros) / 1000, this.ownMs()];
    this.offsetMs = Math.min(Math.max(this.offsetMs ?? told - (asked + answered) / 2, told - answered), told - asked);
  }

  /** Milliseconds since 1970, with a fraction that makes each reading another one. */
  now(): number {
    this.tick = (this.tick + 1) % 4_096;
    return Math.floor(this.ownMs() + (this.offsetMs ?? 0)) + this.tick / 4_096;
  }
}
