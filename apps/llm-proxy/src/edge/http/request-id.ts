import { randomUUID } from 'node:crypto';

/** What may come back in a header and stand in a log. */
const SANE = /^[\w.:/+=@-]{1,128}$/;

/** The caller's `x-request-id` where it is fit to be repeated, else a new one. */
export const requestIdOf = (given: unknown): string => (typeof given === 'string' && SANE.test(given) ? given : `req_${randomUUID()}`);
