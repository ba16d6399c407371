import type { Story } from './story.js';

/** Something that the specification forbids, and that happened. */
export interface Violation {
  /** The name of the promise: the file that knows it. */
  readonly promise: string;
  /** What happened, and to what, as a sentence. */
  readonly text: string;
  /** When, in ms of the run. */
  readonly at: number;
  /** Indexes of the events that show it. */
  readonly events: readonly number[];
}

/** What a promise makes of a run: what breaks it, without its own name. */
export type Finding = Omit<Violation, 'promise'>;

/** One promise of the product, judged by what happened alone. */
export interface Promised {
  readonly name: string;
  /** What is promised, as a sentence; and the name in docs/architecture.md where it has one. */
  readonly says: string;
  readonly judge: (story: Story) => Iterable<Finding>;
}
