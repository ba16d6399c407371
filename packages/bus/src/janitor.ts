/** What one run of the janitor did. */
export interface JanitorReport {
  /** Keys that it looked at. */
  readonly looked: number;
  /** Turns that it cancelled: they waited too long for somebody who does nothing, or their parent is gone. */
  readonly cancelled: number;
  /** Sessions that it removed: a cancel did not end them, or their parent is gone. */
  readonly removed: number;
  /** Keys of sessions that are gone, which something wrote late. */
  readonly orphans: number;
  /** Texts without a session that uses them. */
  readonly texts: number;
  /** Names of sessions that are gone, in lists of persons and among the users of texts. */
  readonly names: number;
  /** Consumers of model requests that are gone, and finished jobs. */
  readonly consumers: number;
  /** Keys that had to have a TTL and had none. */
  readonly bounded: number;
  /** Sessions at rest that were made small. */
  readonly frozen: number;
  /** Sessions that the store had set back, and that nobody would have gone on with. */
  readonly woken: number;
  /** Sessions that the lists of their persons or parents had lost, named there again. */
  readonly listed: number;
  /** Keys that none of the kinds knows: nothing is done to them. */
  readonly unknown: number;
  /** Whether it came to the end of the keys. */
  readonly isThrough: boolean;
}

/** How one run goes. */
export interface JanitorRun {
  /** Keys that it looks at, about, from where the last run ended; `Infinity`: all of them, some twice. */
  readonly keys: number;
  /** What was written a moment ago is left alone, in milliseconds. */
  readonly graceMs: number;
  /** Sessions that rest for this long are made small, in milliseconds; absent: none. */
  readonly freezeAfterMs?: number;
}

/** Ends what was abandoned, in all of the store, a part at a time. */
export interface Janitor {
  /** One run, now. Throws `BusError` where Redis is away. */
  run(options: JanitorRun): Promise<JanitorReport>;
  /** One run each `everyMs`, by one process of the cluster at a time, whoever asks for them. `onRun` hears of those of this process. */
  schedule(
    options: JanitorRun & { readonly everyMs: number },
    onRun: (report: JanitorReport, ms: number) => void,
  ): Promise<{ close(): Promise<void> }>;
}
