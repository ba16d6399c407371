import type { CallRecord } from '@codelab/bus';
import type { Call } from '../turn/turn-state.js';

/** Begins the name of a connection whose client has no identity. */
const SEED_PREFIX = 'seed:';

/** Whether a client without identity was given the call. */
export const isGivenToSeed = (record: CallRecord | undefined): boolean => record?.givenTo.startsWith(SEED_PREFIX) === true;

/** Whether the call may have had an effect: it was begun, or given to a client that never says what it begins. */
export const hasBegun = (call: Pick<Call, 'idempotency'>, record: CallRecord | undefined): boolean =>
  record?.progress === 'started' || (call.idempotency === 'unsafe' && isGivenToSeed(record));
