import { refuse, type Refusal } from '@codelab/protocol';

/** What a client is told of a `QuotaError`; nothing of any other error. By name: the class may come from another copy of the package. */
export const refuseForQuota = (error: unknown, replyTo?: string): Refusal | undefined =>
  error instanceof Error && error.name === 'QuotaError' ? refuse('QUOTA', error.message, replyTo) : undefined;
