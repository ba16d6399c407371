/** So many at once, and one more each interval: what a connection may get wrong before that is abuse. */
export class Allowance {
  private left: number;
  private countedAtMs: number;

  constructor(
    private readonly most: number,
    private readonly refillMs: number,
    nowMs: number,
  ) {
    this.left = most;
    this.countedAtMs = nowMs;
  }

  /** Takes one. `false`: there is none left. */
  take(nowMs: number): boolean {
    this.left = Math.min(this.most, this.left + (nowMs - this.countedAtMs) / this.refillMs);
    this.countedAtMs = nowMs;
    this.left -= 1;
    return this.left >= 0;
  }
}
