import type { Refusal } from '@codelab/protocol';

/** A request that is refused: the filter makes the answer of it. Thrown by controllers only. */
export class RefusedRequest extends Error {
  override readonly name = 'RefusedRequest';

  constructor(readonly refusal: Refusal) {
    super(refusal.message);
  }
}

/** The value of an outcome; throws `RefusedRequest` for a refusal. */
export function orRefuse<T extends object>(outcome: T | Refusal): Exclude<T, Refusal> {
  if ('ok' in outcome && outcome.ok === false) throw new RefusedRequest(outcome);
  return outcome as Exclude<T, Refusal>;
}
