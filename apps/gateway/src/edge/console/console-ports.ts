import type { Socket } from 'node:net';
import type { Authenticate } from '@codelab/auth';
import type { BrowserSignIns } from '../../core/console/browser-sign-ins.js';
import type { WrongTokens } from '../../core/console/wrong-tokens.js';
import type { Logger } from 'pino';
import type { OidcSignIn } from './oidc-sign-in.js';
import type { IsTrusted } from './page-request.js';

/** What the routes of the console need. */
export interface ConsolePorts {
  readonly authenticate: Authenticate;
  readonly browsers: BrowserSignIns;
  readonly wrongTokens: WrongTokens;
  /** Bounds the sign-ins that somebody begins at a provider: each is remembered for ten minutes (G4). */
  readonly begunSignIns: WrongTokens;
  readonly isTrusted: IsTrusted;
  /** Told of every socket that brought a good token. */
  readonly sockets: { admit(socket: Socket): void };
  readonly version: string;
  /** The provider that people may sign in with; absent for none. */
  readonly oidc?: OidcSignIn | undefined;
  readonly logger: Logger;
}
