import type { Clock } from '@codelab/clock';
import {
  discoverOAuthServerInfo,
  extractWWWAuthenticateParams,
  OAuthError,
  OAuthErrorCode,
  refreshAuthorization,
  resourceUrlFromServerUrl,
  selectResourceURL,
  type AuthProvider,
} from '@modelcontextprotocol/client';
import { LoginNeeded } from './login-needed.js';
import { oauthFetch } from './oauth-fetch.js';
import type { OAuthStore, StoredLogin } from './oauth-store.js';

/** A token is refreshed so long before it ends. */
const EARLY_MS = 60_000;

export interface ServerAuthOptions {
  readonly server: string;
  readonly url: URL;
  readonly store: OAuthStore;
  readonly fetch: typeof globalThis.fetch;
  readonly clock: Clock;
}

/** What a server said about logins in its last refusal. */
export interface Challenge {
  readonly resourceMetadataUrl?: URL;
  readonly scope?: string;
}

/**
 * Puts the token of a server on the requests to it, and refreshes it before it ends or when it is refused: once, however many requests and
 * processes need it. Never opens a browser: where a person is needed, requests fail with {@link LoginNeeded}.
 */
export class ServerAuth implements AuthProvider {
  /** For the next login. */
  challenge: Challenge = {};

  constructor(private readonly options: ServerAuthOptions) {}

  async token(): Promise<string | undefined> {
    const login = await this.read();
    if (login?.tokens === undefined) return undefined;
    if (!this.isEnding(login) || login.tokens.refresh_token === undefined) return login.tokens.access_token;
    const fresh = await this.refresh(login.tokens.access_token);
    return fresh.tokens?.access_token;
  }

  async onUnauthorized({ response }: Parameters<NonNullable<AuthProvider['onUnauthorized']>>[0]): Promise<void> {
    const { resourceMetadataUrl, scope } = extractWWWAuthenticateParams(response);
    this.challenge = { resourceMetadataUrl, scope };
    const login = await this.read();
    if (login?.tokens === undefined) throw new LoginNeeded();
    await this.refresh(login.tokens.access_token);
  }

  /** The login, if it is one for this URL. */
  private async read(): Promise<StoredLogin | undefined> {
    const login = await this.options.store.read(this.options.server);
    return login?.url === this.options.url.href ? login : undefined;
  }

  private isEnding({ expiresAt }: StoredLogin): boolean {
    return expiresAt !== undefined && expiresAt - EARLY_MS <= this.options.clock.now();
  }

  private refresh(used: string): Promise<StoredLogin> {
    const { server, store, url, fetch, clock } = this.options;
    return store.locked(server, async () => {
      const login = await this.read();
      if (login?.tokens === undefined) throw new LoginNeeded();
      if (login.tokens.access_token !== used && !this.isEnding(login)) return login; // somebody else was faster
      const { refresh_token: refreshToken, issuer } = login.tokens;
      if (refreshToken === undefined || login.client === undefined) throw new LoginNeeded();
      const fetchFn = oauthFetch(fetch, url);
      const { resourceMetadataUrl } = this.challenge;
      const info = await discoverOAuthServerInfo(url, { fetchFn, resourceMetadataUrl });
      const found = info.authorizationServerMetadata?.issuer ?? String(info.authorizationServerUrl);
      if (issuer !== found) {
        throw new LoginNeeded('the server names another authorization server than the one that the login is from');
      }
      const resource = await selectResourceURL(url, { validateResourceURL: undefined } as never, info.resourceMetadata);
      try {
        const tokens = await refreshAuthorization(info.authorizationServerUrl, {
          metadata: info.authorizationServerMetadata,
          clientInformation: login.client,
          refreshToken,
          resource: resource ?? (info.resourceMetadata === undefined ? undefined : resourceUrlFromServerUrl(url)),
          fetchFn,
        });
        const fresh: StoredLogin = withTokens(login, { ...tokens, issuer }, clock.now());
        await store.write(server, fresh);
        return fresh;
      } catch (error) {
        if (!isOver(error)) throw error;
        const { tokens: _, expiresAt: __, ...client } = login;
        await store.write(server, client);
        throw new LoginNeeded('the login has ended');
      }
    });
  }
}

const OVER: ReadonlySet<string> = new Set([OAuthErrorCode.InvalidGrant, OAuthErrorCode.InvalidClient, OAuthErrorCode.UnauthorizedClient]);

/** Whether an authorization server refused for good. */
const isOver = (error: unknown): boolean => OAuthError.isInstance(error) && OVER.has(error.code);

/** A login with new tokens. */
export function withTokens(login: StoredLogin, tokens: NonNullable<StoredLogin['tokens']>, nowMs: number): StoredLogin {
  const { expiresAt: _, ...rest } = login;
  return { ...rest, tokens, expiresAt: tokens.expires_in === undefined ? undefined : nowMs + tokens.expires_in * 1_000 };
}
