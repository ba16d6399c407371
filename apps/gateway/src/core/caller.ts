import type { SessionRef } from '@codelab/bus';
import type { Identity } from '@codelab/auth';

/** Who asks for something of a session: an authenticated connection that has its place in the session, or a REST request. */
export interface Caller {
  readonly identity: Identity;
  readonly session: SessionRef;
  /** Names the connection; for a REST request `rest`. */
  readonly connection: string;
  /** `client_id` of a client that said `hello`; absent for a seed client and for REST. */
  readonly clientId?: string;
  /** The session's executor is this client, as far as this process has heard. */
  readonly isExecutor: boolean;
}
