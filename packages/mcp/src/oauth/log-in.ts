import { randomBytes } from 'node:crypto';
import type { Clock } from '@codelab/clock';
import {
  auth,
  type OAuthClientMetadata,
  type OAuthClientProvider,
  type OAuthDiscoveryState,
  type StoredOAuthClientInformation,
  type StoredOAuthTokens,
} from '@modelcontextprotocol/client';
import type { OAuthSettings } from '../config/mcp-server-config.js';
import { findOAuthUrlFault, oauthFetch } from './oauth-fetch.js';
import type { OAuthStore, StoredLogin } from './oauth-store.js';
import { openRedirectReceiver } from './receive-redirect.js';
import { withTokens, type Challenge } from './server-auth.js';

export interface LogInOptions {
  readonly server: string;
  readonly url: URL;
  readonly settings: OAuthSettings;
  readonly challenge: Challenge;
  readonly clientName: string;
  readonly store: OAuthStore;
  readonly fetch: typeof globalThis.fetch;
  readonly clock: Clock;
  readonly openBrowser: (url: string) => void | Promise<void>;
  readonly signal?: AbortSignal;
}

/**
 * Logs in with the browser: finds the authorization server, registers if need be, sends the browser there with PKCE and a state, waits for
 * it to come back to this machine, and keeps the tokens.
 *
 * @throws Error that says what went wrong; nothing is kept then but a registration
 */
export async function logIn(options: LogInOptions): Promise<void> {
  const { server, url, settings, challenge, store } = options;
  const receiver = await openRedirectReceiver(settings.redirectPort);
  try {
    const stored = await store.read(server);
    const login = new Login(options, receiver.url, stored?.url === url.href ? stored : undefined);
    const request = {
      serverUrl: url,
      fetchFn: oauthFetch(options.fetch, url),
      resourceMetadataUrl: challenge.resourceMetadataUrl,
    };
    const scope = settings.scope ?? challenge.scope;
    const came = receiver.wait(login.stateText, options.signal);
    came.catch(() => undefined); // it may end before it is waited for
    if ((await auth(login, { ...request, forceReauthorization: true, scope })) === 'AUTHORIZED') return;
    const params = await came;
    const code = params.get('code');
    const iss = params.get('iss') ?? undefined;
    if (code === null)
      throw new Error(`the authorization server answered ${JSON.stringify(params.get('error')?.slice(0, 60) ?? 'nothing')}`);
    await auth(login, { ...request, authorizationCode: code, iss, scope });
  } finally {
    await receiver.close();
  }
}

/** What the SDK asks of one login. */
class Login implements OAuthClientProvider {
  readonly stateText = randomBytes(24).toString('base64url');
  private verifier = '';
  private discovery: OAuthDiscoveryState | undefined;
  private client: StoredOAuthClientInformation | undefined;

  constructor(
    private readonly options: LogInOptions,
    readonly redirectUrl: string,
    stored: StoredLogin | undefined,
  ) {
    const { clientId, clientSecret } = options.settings;
    if (clientId !== undefined && !clientId.startsWith('https://')) {
      this.client = { client_id: clientId, client_secret: clientSecret };
    } else if (stored?.client !== undefined && isRegisteredFor(stored.client, redirectUrl)) this.client = stored.client;
  }

  get clientMetadataUrl(): string | undefined {
    const { clientId } = this.options.settings;
    return clientId?.startsWith('https://') === true ? clientId : undefined;
  }

  get clientMetadata(): OAuthClientMetadata {
    const { clientName, settings } = this.options;
    return {
      client_name: clientName,
      redirect_uris: [this.redirectUrl],
      grant_types: ['authorization_code', 'refresh_token'],
      response_types: ['code'],
      token_endpoint_auth_method: settings.clientSecret === undefined ? 'none' : 'client_secret_post',
      scope: settings.scope,
    };
  }

  state(): string {
    return this.stateText;
  }

  clientInformation(context?: { readonly issuer: string }): StoredOAuthClientInformation | undefined {
    // One that was registered by hand is for the server that the configuration names, whoever issues its tokens.
    return this.client === undefined || context === undefined ? this.client : { issuer: context.issuer, ...this.client };
  }

  async saveClientInformation(client: StoredOAuthClientInformation): Promise<void> {
    this.client = client;
    const { store, server, url } = this.options;
    await store.locked(server, async () => {
      const stored = await store.read(server);
      await store.write(server, { ...(stored?.url === url.href && stored), url: url.href, client });
    });
  }

  tokens(): undefined {
    return undefined; // a login is asked for because those that there are do not do
  }

  async saveTokens(tokens: StoredOAuthTokens): Promise<void> {
    const { store, server, url, clock } = this.options;
    await store.locked(server, async () => {
      const login = { url: url.href, client: this.client };
      await store.write(server, withTokens(login, tokens, clock.now()));
    });
  }

  async redirectToAuthorization(target: URL): Promise<void> {
    const fault = findOAuthUrlFault(target, this.options.url);
    if (fault !== undefined) throw new Error(fault);
    await this.options.openBrowser(target.href);
  }

  saveCodeVerifier(verifier: string): void {
    this.verifier = verifier;
  }

  codeVerifier(): string {
    return this.verifier;
  }

  saveDiscoveryState(state: OAuthDiscoveryState): void {
    this.discovery = state;
  }

  discoveryState(): OAuthDiscoveryState | undefined {
    return this.discovery;
  }
}

/** A registration names where the browser may come back to, and the port differs from login to login. */
function isRegisteredFor(client: StoredOAuthClientInformation, redirectUrl: string): boolean {
  const { redirect_uris: uris } = client as { readonly redirect_uris?: readonly string[] };
  return uris?.includes(redirectUrl) === true;
}
