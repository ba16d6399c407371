/**
 * Why something was not fetched. `forbidden`: its address may not be reached. `timeout`: it took too long. `too_large`: it answered more than
 * was allowed. `failed`: it could not be reached or broke off. `cancelled`: nobody wants it any more.
 */
export type EgressFailure = 'forbidden' | 'timeout' | 'too_large' | 'failed' | 'cancelled';

/** What went wrong, in words that a caller and a model may read: no address behind a name, no header, no stack. */
export class EgressError extends Error {
  override readonly name = 'EgressError';

  constructor(
    readonly failure: EgressFailure,
    message: string,
    /** The host, where its address is what may not be reached. */
    readonly privateHost?: string,
  ) {
    super(message);
  }
}

/** The address may not be reached. */
export const notPublic = (host: string): EgressError =>
  new EgressError('forbidden', `${host} is not a public address; CODELAB_EGRESS_ALLOW lists others that may be reached`, host);
