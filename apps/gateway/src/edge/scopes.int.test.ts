import { expect, test } from 'vitest';
import { startRedis, verifies } from '@codelab/testkit';
import { outcomeOf } from './__fixtures__/ask-rest.js';
import { FrameClient, hello } from './__fixtures__/frame-client.js';
import { ISSUER, signJwt } from './__fixtures__/sign-jwt.js';
import { useGateways } from './__fixtures__/use-gateways.js';

const edge = useGateways(startRedis, { gateway: ISSUER });

/** What a token is let do, on each way in that asks for a scope. */
async function tryEverything(token: string) {
  const rest = async (method: string, path: string, body?: object) =>
    outcomeOf(await edge.ask(method, path, { token, ...(body && { body }) }))[0];
  const connected = await FrameClient.connect(`${edge.gateway.ws}/mine`, token).catch((error: { status: number }) => error.status);
  const socket = typeof connected === 'number' ? connected : 101;
  const decided = typeof connected === 'number' ? undefined : await decide(edge.keep(connected));
  return {
    socket,
    decided,
    list: await rest('GET', '/sessions'),
    mode: await rest('POST', '/sessions', { session_id: 'mine', mode: 'strict' }),
    decision: await rest('POST', '/sessions/mine/decisions', { call_id: 'x', decision: 'approve' }),
  };
}

/** The code that answers a decision on a call that is not there: who may not decide isn't told so much. */
async function decide(client: FrameClient) {
  client.send(hello('c1'));
  await client.next('welcome');
  client.send({ type: 'hitl_decision', call_id: 'x', decision: 'approve' });
  return (await client.next('error'))['code'];
}

const REFUSED = { socket: 401, decided: undefined, list: 401, mode: 401, decision: 401 };
const NOTHING = { socket: 403, decided: undefined, list: 403, mode: 403, decision: 403 };
const SESSION = { socket: 101, decided: 'FORBIDDEN', list: 200, mode: 403, decision: 403 };
const APPROVE = { socket: 101, decided: 'UNKNOWN_CALL', list: 200, mode: 200, decision: 404 };

test.each<[string, object, object]>([
  ['no scope', {}, NOTHING],
  ['an array without session', { scope: ['llm'] }, NOTHING],
  ['scp without session', { scp: ['llm', 'approve'] }, NOTHING],
  ['null', { scope: null }, REFUSED],
  ['a number', { scp: 7 }, REFUSED],
  ['an object', { scope: { session: true } }, REFUSED],
  ['an array with a number', { scope: ['session', 7] }, REFUSED],
  ['session, as a string', { scope: 'session' }, SESSION],
  ['session, as an array', { scope: ['session'] }, SESSION],
  ['session, as scp', { scp: ['session'] }, SESSION],
  ['session in both, approve in one', { scope: 'session approve', scp: ['session'] }, SESSION],
  ['session and approve', { scp: 'session approve' }, APPROVE],
  ['a numeric sub', { sub: 7, scope: 'session approve' }, REFUSED],
  ['a numeric tenant', { tenant: 7, scope: 'session approve' }, REFUSED],
])(verifies('G1:jwt-doors', 'by socket and by REST a JWT may do what its scopes name and no more: %s'), async (what, claims, expected) => {
  expect(await tryEverything(await signJwt({ sub: `someone with ${what}`, ...claims }))).toEqual(expected);
});

test('a refusal names the claim; where the setting says so, a token without scopes may do everything', async () => {
  const refused = await edge.ask('GET', '/sessions', { token: await signJwt({ scope: null }) });
  expect(refused.text).toContain('scope must be a string of names');
  const open = await edge.another({ ...ISSUER, jwtUnscopedMayDoAll: true });
  const client = edge.keep(await FrameClient.connect(`${open.ws}/mine`, await signJwt()));
  expect(await decide(client)).toBe('UNKNOWN_CALL');
});
