import { isSame } from '../memo.js';
import type { Message } from './message.js';

/** How something is made of messages, one after another. */
export interface Fold<Sum> {
  /** Names what is made. */
  readonly key: object;
  /** Everything that it depends on beside the messages, compared by identity. Default: nothing. */
  readonly of?: readonly unknown[];
  readonly begin: () => Sum;
  /** Takes the next message. `false`: that is enough for now, the rest is for later requests. */
  readonly add: (sum: Sum, message: Message) => boolean | void;
}

/** What was made of the first `count` messages. */
export interface Folded<Sum> {
  readonly sum: Sum;
  readonly of: readonly unknown[];
  count: number;
  last: Message | undefined;
}

const NOTHING: readonly unknown[] = [];

/**
 * What was made of the messages of a conversation that only grows: a request costs what was added since the one before, not what the whole
 * conversation is long. A list that does not go on from the one before, such as that of a request which was overtaken, is begun anew.
 */
export class Growth {
  private readonly known = new Map<object, Folded<unknown>>();

  /** What all `messages` add up to, or as many as were enough. */
  fold<Sum>(messages: readonly Message[], { key, of = NOTHING, begin, add }: Fold<Sum>): Folded<Sum> {
    const known = this.known.get(key) as Folded<Sum> | undefined;
    const goesOn = known !== undefined && isSame(known.of, of) && messages[known.count - 1] === known.last;
    const folded = goesOn ? known : { sum: begin(), of, count: 0, last: undefined };
    if (!goesOn) this.known.set(key, folded);
    while (folded.count < messages.length) {
      folded.last = messages[folded.count]!;
      folded.count += 1;
      if (add(folded.sum, folded.last) === false) break;
    }
    return folded;
  }
}
