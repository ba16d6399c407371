/** How much is stored, for operators. */
export interface StorageUse {
  /** Bytes of all sessions. */
  readonly totalBytes: number;
  /** Bytes of the person who stores most. */
  readonly largestOwnerBytes: number;
}

/** What is stored of whom. Counted within a second of each write, and anew every five minutes. */
export interface Storage {
  use(): Promise<StorageUse>;
  /** Counts everything anew: what expired is taken out. */
  recount(): Promise<void>;
}
