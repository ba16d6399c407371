import {
  allowInsecureRequests,
  AuthorizationResponseError,
  authorizationCodeGrant,
  buildAuthorizationUrl,
  calculatePKCECodeChallenge,
  ClientSecretPost,
  discovery,
  None,
  randomNonce,
  randomPKCECodeVerifier,
  randomState,
  type Configuration,
} from 'openid-client';
import type { Authenticate } from '@codelab/auth';
import type { SealedRecords } from '../../core/console/sealed-records.js';

/** A provider that people sign in with. */
export interface OidcSettings {
  readonly issuer: string;
  readonly clientId: string;
  readonly clientSecret?: string;
  /** Separated by spaces. */
  readonly scopes: string;
  /** What the button says. */
  readonly name: string;
}

/** Why a sign-in by the provider came to nothing. The console has a sentence for each. */
export type OidcFault =
  /** The person, or the provider, said no. */
  | 'denied'
  /** It took longer than ten minutes, was begun in another browser, or came back before. */
  | 'expired'
  /** What came back is not what was asked for: state, nonce, issuer, code. */
  | 'mismatch'
  /** The provider's token is none that this gateway accepts, or may not use sessions. */
  | 'not_accepted'
  /** The provider can't be reached. */
  | 'unavailable';

/** A sign-in that came to nothing. */
export class OidcError extends Error {
  override readonly name = 'OidcError';

  /** @param cause for the log only: a provider's words never reach a page (L1) */
  constructor(
    readonly fault: OidcFault,
    cause?: unknown,
  ) {
    super(`the sign-in failed: ${fault}`, { cause });
  }
}

/** How long a person may take at the provider. */
const PENDING_MS = 10 * 60_000;
const DISCOVERY_S = 10;

/** What has to be remembered of a sign-in until the browser comes back. */
interface Pending {
  readonly verifier: string;
  readonly state: string;
  readonly nonce: string;
  readonly redirectUri: string;
  readonly to: string;
  /** The ticket of the sign-in that this one takes the place of. */
  readonly before?: string | undefined;
}

/**
 * Signs people in with an OpenID provider, by code with PKCE. It ends with a token of the provider that the gateway accepts like any other
 * (G1): the access token if it is one, else the ID token. What is pending can be used once.
 */
export class OidcSignIn {
  private known: Promise<Configuration> | undefined;

  constructor(
    private readonly settings: OidcSettings,
    private readonly records: SealedRecords,
    private readonly authenticate: Authenticate,
  ) {}

  get name(): string {
    return this.settings.name;
  }

  /** @returns where the browser goes now, and the ticket that it has to bring back. Throws `OidcError`. */
  async begin({
    redirectUri,
    to,
    before,
  }: Pick<Pending, 'redirectUri' | 'to' | 'before'>): Promise<{ readonly location: string; readonly ticket: string }> {
    const configuration = await this.configuration();
    const pending: Pending = { verifier: randomPKCECodeVerifier(), state: randomState(), nonce: randomNonce(), redirectUri, to, before };
    const { verifier, state, nonce } = pending;
    const location = buildAuthorizationUrl(configuration, {
      ...{ redirect_uri: redirectUri, scope: this.settings.scopes, state, nonce },
      ...{ code_challenge: await calculatePKCECodeChallenge(verifier), code_challenge_method: 'S256' },
    });
    return { location: location.href, ticket: await this.records.put(JSON.stringify(pending), PENDING_MS) };
  }

  /** @param query of the request with which the browser came back. Throws `OidcError`. */
  async finish(ticket: string | undefined, query: string): Promise<{ readonly token: string } & Pick<Pending, 'to' | 'before'>> {
    const text = ticket === undefined ? undefined : await this.records.take(ticket);
    if (text === undefined) throw new OidcError('expired');
    const { verifier, state, nonce, redirectUri, to, before } = JSON.parse(text) as Pending;
    const tokens = await authorizationCodeGrant(await this.configuration(), new URL(`${redirectUri}?${query}`), {
      ...{ pkceCodeVerifier: verifier, expectedState: state, expectedNonce: nonce, idTokenExpected: true },
    }).catch((error: unknown) => {
      throw new OidcError(faultOf(error), error);
    });
    for (const token of [tokens.access_token, tokens.id_token]) {
      const judged = token === undefined ? undefined : await this.authenticate(token);
      if (token !== undefined && judged?.ok === true && judged.identity.scopes.includes('session')) return { token, to, before };
      if (judged?.ok === false && judged.code === 'UNAVAILABLE') throw new OidcError('unavailable');
    }
    throw new OidcError('not_accepted');
  }

  /** What the provider says of itself: asked for once it is needed, and again after a failure. */
  private configuration(): Promise<Configuration> {
    this.known ??= discover(this.settings).catch((error: unknown) => {
      this.known = undefined;
      throw new OidcError('unavailable', error);
    });
    return this.known;
  }
}

function discover({ issuer, clientId, clientSecret }: OidcSettings): Promise<Configuration> {
  const server = new URL(issuer);
  return discovery(server, clientId, undefined, clientSecret === undefined ? None() : ClientSecretPost(clientSecret), {
    timeout: DISCOVERY_S,
    ...(server.protocol === 'http:' ? { execute: [allowInsecureRequests] } : {}), // the operator wrote it so
  });
}

function faultOf(error: unknown): OidcFault {
  if (error instanceof AuthorizationResponseError) return 'denied';
  return isAway(error) ? 'unavailable' : 'mismatch';
}

/** What `fetch` throws, or a time that ran out. */
const isAway = (error: unknown): boolean =>
  error instanceof TypeError || (error instanceof Error && (error as { readonly code?: string }).code === 'OAUTH_TIMEOUT');
