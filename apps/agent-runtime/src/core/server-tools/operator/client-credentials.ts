import type { OAuthStore, StoredLogin } from '@codelab/mcp';

/** A token is fetched anew so long before it ends. */
const EARLY_MS = 60_000;

const TIMEOUT_MS = 20_000;

export interface ClientCredentialsOptions {
  /** Of the server that the token is for. */
  readonly url: string;
  readonly tokenUrl: string;
  readonly clientId: string;
  readonly clientSecret: string;
  readonly scope?: string;
  readonly fetch: typeof globalThis.fetch;
  /** Unix milliseconds. */
  readonly now: () => number;
}

/**
 * The login of a service that speaks for itself: OAuth 2.1 client credentials. A token is fetched when it is needed first, when it is about to end,
 * and when the server refused it; never more than one at a time. Nothing is written anywhere.
 */
export function clientCredentials(options: ClientCredentialsOptions): OAuthStore {
  let token: { readonly value: string; readonly endsAtMs: number } | undefined;
  let fetching: Promise<StoredLogin> | undefined;
  const fetchOne = async (): Promise<StoredLogin> => {
    token = await fetchToken(options);
    return toLogin(options.url, token.value);
  };
  return {
    read: async () => {
      if (token !== undefined && options.now() < token.endsAtMs) return toLogin(options.url, token.value);
      fetching ??= fetchOne().finally(() => (fetching = undefined));
      return fetching;
    },
    write: () => Promise.resolve(),
    remove: () => Promise.resolve(),
    locked: (_server, run) => {
      token = undefined; // only a token that was refused is asked for under a lock
      return run();
    },
  };
}

const toLogin = (url: string, accessToken: string): StoredLogin => ({
  url: new URL(url).href,
  tokens: { access_token: accessToken, token_type: 'Bearer' },
});

async function fetchToken({ url, tokenUrl, clientId, clientSecret, scope, fetch, now }: ClientCredentialsOptions) {
  const body = new URLSearchParams({ grant_type: 'client_credentials', resource: url });
  if (scope !== undefined) body.set('scope', scope);
  const basic = Buffer.from(`${encodeURIComponent(clientId)}:${encodeURIComponent(clientSecret)}`).toString('base64');
  const answer = await fetch(tokenUrl, {
    method: 'POST',
    headers: { authorization: `Basic ${basic}`, accept: 'application/json', 'content-type': 'application/x-www-form-urlencoded' },
    body: body.toString(),
    redirect: 'manual', // credentials go nowhere else
    signal: AbortSignal.timeout(TIMEOUT_MS),
  });
  if (answer.status !== 200) {
    await answer.body?.cancel();
    throw new Error(`the authorization server answered ${String(answer.status)} to the client credentials`);
  }
  const { access_token: value, expires_in: seconds } = (await answer.json()) as { access_token?: unknown; expires_in?: unknown };
  if (typeof value !== 'string' || value === '') throw new Error('the authorization server answered without a token');
  const lifeMs = typeof seconds === 'number' && seconds > 0 ? seconds * 1_000 : Infinity;
  return { value, endsAtMs: now() + lifeMs - Math.min(EARLY_MS, lifeMs / 2) };
}
