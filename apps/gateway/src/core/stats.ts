/** Counts by name. */
export class Counts {
  private readonly counts = new Map<string, number>();

  add(name: string): void {
    this.counts.set(name, (this.counts.get(name) ?? 0) + 1);
  }

  entries(): IterableIterator<[string, number]> {
    return this.counts.entries();
  }

  get(name: string): number {
    return this.counts.get(name) ?? 0;
  }
}

/** What the gateway counts; `/metrics` reads it. Counting never fails and never waits. */
export class GatewayStats {
  /** Client frames by type, unreadable ones as `invalid`. */
  readonly framesReceived = new Counts();
  /** Server frames by type. */
  readonly framesSent = new Counts();
  /** `error` frames and refused requests by code. */
  readonly refusals = new Counts();
  /** Ends of connections by reason. */
  readonly closings = new Counts();
  /** Open connections by kind: `unauthenticated`, `seed`, `hello`. */
  readonly connections = { unauthenticated: 0, awaiting: 0, seed: 0, hello: 0 };
  /** Sessions that some connection of this process watches. */
  rooms = 0;
  /** Times that a feed skipped a frame and the log was read instead (G3). */
  feedGaps = 0;
  /** Snapshots sent to slow readers (G4). */
  resyncs = 0;
}
