/** Where the sessions of this window live. */
export interface Place {
  /** `ws://host:port/ws`, without the session. */
  readonly ws: string;
  /** `http://host:port`, for REST. */
  readonly http: string;
  readonly token: string;
  /** Names the place over restarts: `local`, or the address. */
  readonly name: string;
  /** Looks where it is now, before each connection: services of this machine may have been started again at another port. */
  follow(): Promise<void>;
  /** Lets go of services that were started for this window. */
  stop(): void;
}

/** Why there is no place, in words for a person, and what they can do about it. */
export class PlaceError extends Error {
  override readonly name = 'PlaceError';

  constructor(
    /** `missing`: there is no `codelab` command. `token`: the gateway needs one. */
    readonly kind: 'missing' | 'token' | 'failed',
    message: string,
    options?: ErrorOptions,
  ) {
    super(message, options);
  }
}
