import type { JanitorReport } from '../../janitor.js';

/** What a run has done so far. */
export type Tally = { -readonly [Name in keyof JanitorReport]: JanitorReport[Name] };

export const newTally = (): Tally => ({
  ...{ looked: 0, cancelled: 0, removed: 0, orphans: 0, texts: 0, names: 0, consumers: 0, bounded: 0, frozen: 0 },
  ...{ woken: 0, listed: 0, unknown: 0, isThrough: false },
});
