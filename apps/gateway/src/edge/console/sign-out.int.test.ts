import { afterEach, expect, test } from 'vitest';
import { startRedis, verifies } from '@codelab/testkit';
import { FrameClient } from '../__fixtures__/frame-client.js';
import { useGateways } from '../__fixtures__/use-gateways.js';

const fixture = useGateways(startRedis);
const clients: FrameClient[] = [];
afterEach(async () => {
  for (const client of clients.splice(0)) await client.close();
});

const own = (url: string, cookie = ''): Record<string, string> => ({
  ...{ origin: url, 'sec-fetch-site': 'same-origin', 'x-codelab-console': '1', cookie },
});

async function signIn(): Promise<string> {
  const { url } = fixture.gateway;
  const body = JSON.stringify({ token: 'alice-token' });
  const response = await fetch(`${url}/console/sign-in`, { method: 'POST', headers: own(url), body });
  return (response.headers.get('set-cookie') ?? '').split(';')[0]!;
}

async function watch(gateway: { readonly url: string; readonly ws: string }, cookie: string): Promise<FrameClient> {
  const atPort = cookie.replace(/^[^=]+/, `codelab-${new URL(gateway.url).port}`); // as behind one address, where gateways share a port
  const client = await FrameClient.connect(`${gateway.ws}/tab`, undefined, { headers: own(gateway.url, atPort), protocols: [] });
  clients.push(client);
  client.send({ type: 'hello', protocol_versions: ['2.0'], client_id: 'tab' });
  await client.next('welcome');
  return client;
}

const signOut = (cookie: string): Promise<Response> =>
  fetch(`${fixture.gateway.url}/console/sign-out`, { method: 'POST', headers: own(fixture.gateway.url, cookie) });

test(verifies('G1:console-sign-out', 'who signs out ends the sockets of that browser, at every gateway, and nobody else’s'), async () => {
  const elsewhere = await fixture.another();
  const [cookie, other] = [await signIn(), await signIn()];
  const [here, there, stays] = [await watch(fixture.gateway, cookie), await watch(elsewhere, cookie), await watch(fixture.gateway, other)];
  expect((await signOut(cookie)).status).toBe(204);
  for (const client of [here, there]) {
    expect(await client.next('error')).toMatchObject({ code: 'TOKEN_EXPIRED' });
    expect(await client.ended).toMatchObject({ code: 4401 });
  }
  stays.send({ type: 'cancel' });
  expect(await stays.next('error')).toMatchObject({ code: 'UNKNOWN_TURN' });
});

test(verifies('G1:console-sign-out', 'a request that waits for questions ends with the sign-in that it came by'), async () => {
  const { url } = fixture.gateway;
  const cookie = await signIn();
  const headers = own(url, cookie);
  const { revision } = (await (await fetch(`${url}/api/v1/approvals`, { headers })).json()) as { revision: string };
  const waiting = fetch(`${url}/api/v1/approvals?since=${revision}&wait_ms=30000`, { headers });
  await expect(Promise.race([waiting.then(() => 'answered'), new Promise((resolve) => setTimeout(resolve, 300, 'waits'))])).resolves.toBe(
    'waits',
  );
  await signOut(cookie);
  expect((await waiting).status).toBe(401);
});

test(verifies('G2:rest-query', 'a query that names something twice is answered, not a fault of the gateway'), async () => {
  const { url } = fixture.gateway;
  const headers = { authorization: 'Bearer alice-token' };
  for (const query of ['query=a&query=b', 'query[]=a', 'agent[x]=1&agent=2', 'cursor=1&cursor=2', '__proto__[limit]=1', 'limit=1&limit=2'])
    expect([query, (await fetch(`${url}/api/v1/sessions?${query}`, { headers })).status]).toEqual([query, 200]);
});
