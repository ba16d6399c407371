import { randomBytes } from 'node:crypto';
import type { Trace } from './route.js';

/** version 00: trace id, parent id, flags (https://www.w3.org/TR/trace-context/#traceparent-header). Later versions may be longer. */
const TRACEPARENT = /^(?!ff)[0-9a-f]{2}-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})(?:$|-)/;
const ZEROS = /^0+$/;

/** Goes on with the caller's trace, or begins one where it has none or one that is not valid. */
export function continueTrace(traceparent: unknown): Trace {
  const [, id = '', parent = '', flags = '01'] = (typeof traceparent === 'string' && TRACEPARENT.exec(traceparent)) || [];
  const random = randomBytes(24).toString('hex');
  const isValid = id !== '' && !ZEROS.test(id) && !ZEROS.test(parent);
  const traceId = isValid ? id : random.slice(16);
  return { id: traceId, traceparent: `00-${traceId}-${random.slice(0, 16)}-${isValid ? flags : '01'}` };
}
