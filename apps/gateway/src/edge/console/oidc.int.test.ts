import { afterAll, beforeAll, expect, test } from 'vitest';
import { startOidcProvider, startRedis, verifies, type OidcProvider } from '@codelab/testkit';
import type { GatewayConfig } from '../config.js';
import type { TestGateway } from '../__fixtures__/start-gateway.js';
import { startGateway } from '../__fixtures__/start-gateway.js';
import { useGateways } from '../__fixtures__/use-gateways.js';

const fixture = useGateways(startRedis);
let provider: OidcProvider;

beforeAll(async () => {
  provider = await startOidcProvider();
});
afterAll(() => provider.close());

const settings = (): Partial<GatewayConfig> => ({
  ...{ oidcIssuer: provider.url, oidcClientId: provider.clientId, oidcClientSecret: provider.clientSecret },
  ...{ jwtIssuer: provider.url, jwtAudience: provider.clientId, jwtJwksUrl: `${provider.url}/jwks` },
});

/** A browser, as far as cookies and redirects go. */
class Browser {
  readonly cookies = new Map<string, string>();

  async visit(url: string): Promise<Response> {
    const cookie = [...this.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const response = await fetch(url, { redirect: 'manual', headers: cookie === '' ? {} : { cookie } });
    for (const text of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(text) ?? [];
      if (text.includes('Max-Age=0')) this.cookies.delete(name);
      else this.cookies.set(name, value);
    }
    return response;
  }

  /** Where a visit leads. */
  async follow(url: string): Promise<string> {
    return new URL((await this.visit(url)).headers.get('location') ?? '', url).href;
  }
}

const begin = async (gateway: TestGateway, to = '/sessions/s1?tab=1') => {
  const browser = new Browser();
  const atProvider = await browser.follow(`${gateway.url}/console/oidc?to=${encodeURIComponent(to)}`);
  return { browser, atProvider };
};

const signIn = async (gateway: TestGateway, to?: string) => {
  const { browser, atProvider } = await begin(gateway, to);
  const back = await browser.follow(atProvider);
  return { browser, back, end: await browser.follow(back) };
};

test(
  verifies('G1:oidc', 'a person signs in with an OpenID provider by code, PKCE, state and nonce, and is who its token says'),
  async () => {
    const gateway = await fixture.another(settings());
    expect(await (await fetch(`${gateway.url}/console/me`)).json()).toMatchObject({
      methods: { oidc: { name: new URL(provider.url).host } },
    });
    const { browser, end } = await signIn(gateway);
    expect(end).toBe(`${gateway.url}/sessions/s1?tab=1`);
    const name = `codelab-${new URL(gateway.url).port}`;
    expect([...browser.cookies.keys()]).toEqual([name]);
    const headers = { cookie: `${name}=${browser.cookies.get(name)!}`, 'x-codelab-console': '1' };
    const me = (await (await fetch(`${gateway.url}/console/me`, { headers })).json()) as { signed_in: object };
    expect(me.signed_in).toMatchObject({
      tenant: provider.url,
      sub: 'carol',
      scopes: ['session', 'approve'],
      expires_at_ms: expect.any(Number),
    });
    expect((await fetch(`${gateway.url}/api/v1/sessions`, { headers })).status).toBe(200);
    const asked = provider.asked.at(-1)!;
    expect(Object.fromEntries(asked)).toMatchObject({
      ...{ response_type: 'code', scope: 'openid', code_challenge_method: 'S256', redirect_uri: `${gateway.url}/console/oidc/callback` },
    });
    for (const name of ['state', 'nonce', 'code_challenge']) expect(asked.get(name)?.length).toBeGreaterThanOrEqual(43);
  },
);

test(verifies('G1:console-again', 'who signs in again with the provider ends the sign-in that the browser had before'), async () => {
  const gateway = await fixture.another(settings());
  const { browser } = await signIn(gateway);
  const name = `codelab-${new URL(gateway.url).port}`;
  const ask = async (ticket: string | undefined): Promise<number> =>
    (await fetch(`${gateway.url}/api/v1/sessions`, { headers: { cookie: `${name}=${ticket ?? ''}`, 'x-codelab-console': '1' } })).status;
  const first = browser.cookies.get(name);
  const atProvider = await browser.follow(`${gateway.url}/console/oidc`);
  browser.cookies.delete(name); // `SameSite=Strict`: it doesn't come with what the provider's page begins
  await browser.follow(await browser.follow(atProvider));
  expect([await ask(first), await ask(browser.cookies.get(name))]).toEqual([401, 200]);
});

test(verifies('G1:oidc-once', 'what came back once signs nobody in again, and nobody whose browser did not begin it'), async () => {
  const gateway = await fixture.another(settings());
  const { browser, back } = await signIn(gateway);
  browser.cookies.clear();
  expect(await browser.follow(back)).toBe(`${gateway.url}/?sign_in_error=expired`);
  const begun = await begin(gateway);
  const stolen = await new Browser().follow(begun.atProvider);
  expect(await new Browser().follow(stolen)).toBe(`${gateway.url}/?sign_in_error=expired`);
  const pending = new Map(begun.browser.cookies);
  const other = await begin(gateway);
  expect(await begun.browser.follow(await other.browser.follow(other.atProvider))).toBe(`${gateway.url}/?sign_in_error=mismatch`); // foreign state
  for (const [name, value] of pending) begun.browser.cookies.set(name, value);
  expect(await begun.browser.follow(stolen)).toBe(`${gateway.url}/?sign_in_error=expired`); // one ticket, one try
  expect(begun.browser.cookies.size).toBe(0);
});

test.each([
  ['the person said no', { error: 'access_denied' }, 'denied'],
  ['the state is another', { state: 'another' }, 'mismatch'],
  ['the nonce is another', { claims: { nonce: 'another' } }, 'mismatch'],
  ['the token is over', { claims: { exp: 1_000 } }, 'mismatch'],
  ['the token is for somebody else', { claims: { aud: 'another' } }, 'mismatch'],
  ['the token may not use sessions', { claims: { scope: 'llm' } }, 'not_accepted'],
  ['the token has a claim of another shape', { claims: { tenant: 7 as unknown as string } }, 'not_accepted'],
])(verifies('G1:oidc-refused', 'a sign-in ends at the console with a word for it where %s'), async (_, next, fault) => {
  const gateway = await fixture.another(settings());
  provider.next(next);
  const { browser, end } = await signIn(gateway);
  expect(end).toBe(`${gateway.url}/?sign_in_error=${fault}`);
  expect(browser.cookies.size).toBe(0);
});

test('a token that the gateway’s own settings don’t accept signs nobody in', async () => {
  const gateway = await fixture.another({ ...settings(), jwtAudience: 'an-api' });
  expect((await signIn(gateway)).end).toBe(`${gateway.url}/?sign_in_error=not_accepted`);
});

test('a provider that is away is said so, and found again', async () => {
  const gone = await startOidcProvider();
  await gone.close();
  const gateway = await fixture.another({ ...settings(), oidcIssuer: gone.url });
  expect((await begin(gateway)).atProvider).toBe(`${gateway.url}/?sign_in_error=unavailable`);
});

test.each(['//evil.example', '/\\evil.example', 'https://evil.example', '/\t/evil.example', ''])(
  verifies('G1:oidc-place', 'nobody is led elsewhere by a sign-in: %j'),
  async (to) => {
    const gateway = await fixture.another(settings());
    expect((await signIn(gateway, to)).end).toBe(`${gateway.url}/`);
  },
);

test('half a setting is refused at the start, and none is no way to sign in', async () => {
  await expect(
    startGateway(fixture.redis.url, { ...settings(), jwtIssuer: undefined, jwtAudience: undefined, jwtJwksUrl: undefined }),
  ).rejects.toThrow(/CODELAB_JWT_ISSUER/);
  await expect(startGateway(fixture.redis.url, { ...settings(), oidcClientId: undefined })).rejects.toThrow(/CODELAB_OIDC_CLIENT_ID/);
  expect((await fetch(`${fixture.gateway.url}/console/oidc`)).status).toBe(422);
});

test(verifies('G4:oidc', 'sign-ins that somebody begins and never ends are bounded per address'), async () => {
  const gateway = await fixture.another({ ...settings(), trustedProxies: ['127.0.0.1'] });
  const visit = async (from: string): Promise<string> => {
    const response = await fetch(`${gateway.url}/console/oidc`, { redirect: 'manual', headers: { 'x-forwarded-for': from } });
    return response.headers.get('location') ?? '';
  };
  const places = await Promise.all(Array.from({ length: 90 }, () => visit('203.0.113.1')));
  expect(places.filter((place) => place.startsWith(provider.url)).length).toBeLessThan(85); // one comes back each second
  expect(places).toContain('/?sign_in_error=unavailable');
  expect(await visit('203.0.113.2')).toContain(provider.url);
});
