import { randomFillSync } from 'node:crypto';
import type { Trace } from './route.js';

/** version 00: trace id, parent id, flags (https://www.w3.org/TR/trace-context/#traceparent-header). Later versions may be longer. */
const TRACEPARENT = /^(?!ff)[0-9a-f]{2}-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})(?:$|-)/;
const ZEROS = /^0+$/;

/** Random digits, drawn for many requests at a time: a draw costs more than all else here. */
const POOL_BYTES = 24 * 256;
let pool = '';
let used = 0;

function randomDigits(count: number): string {
  if (used + count > pool.length) {
    pool = randomFillSync(Buffer.allocUnsafe(POOL_BYTES)).toString('hex');
    used = 0;
  }
  used += count;
  return pool.slice(used - count, used);
}

/** Goes on with the caller's trace, or begins one where it has none or one that is not valid. */
export function continueTrace(traceparent: unknown): Trace {
  const [, id = '', parent = '', flags = '01'] = (typeof traceparent === 'string' && TRACEPARENT.exec(traceparent)) || [];
  const isValid = id !== '' && !ZEROS.test(id) && !ZEROS.test(parent);
  const traceId = isValid ? id : randomDigits(32);
  return { id: traceId, traceparent: `00-${traceId}-${randomDigits(16)}-${isValid ? flags : '01'}` };
}
