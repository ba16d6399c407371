import { createHmac } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { verifies } from '@codelab/testkit';
import { startProxy, type TestProxy } from '../__fixtures__/start-proxy.js';

const ISSUER = {
  jwtIssuer: 'https://issuer.example',
  jwtAudience: 'codelab',
  jwtSecret: 'a-secret-of-more-than-thirty-two-characters',
};

let proxy: TestProxy;
beforeAll(async () => {
  proxy = await startProxy(ISSUER);
});
afterAll(() => proxy.stop());

const base64 = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url');

function signJwt(more: object): string {
  const { jwtIssuer: iss, jwtAudience: aud, jwtSecret } = ISSUER;
  const claims = { iss, aud, tenant: 'acme', sub: 'carol', exp: Math.floor(Date.now() / 1_000) + 3_600, ...more };
  const signed = `${base64({ alg: 'HS256' })}.${base64(claims)}`;
  return `${signed}.${createHmac('sha256', jwtSecret).update(signed).digest('base64url')}`;
}

const CHAT = { model: 'offline', messages: [{ role: 'user', content: 'hi' }] };

/** A request for each scope; without Redis those for tools are 503 when they are let in. */
const REQUESTS = {
  llm: (token: string) => proxy.ask('/v1/chat/completions', CHAT, { token }),
  models: (token: string) => proxy.ask('/v1/models', undefined, { token }),
  toolsList: (token: string) => proxy.ask('/v1/tools', undefined, { token }),
  toolsRun: (token: string) => proxy.ask('/v1/tools/mine', undefined, { token, method: 'DELETE' }),
  ideTools: (token: string) => proxy.ask('/v1/chat/completions', { ...CHAT, use_ide_tools: true }, { token }),
  auto: (token: string) => proxy.ask('/v1/chat/completions', { ...CHAT, tool_execution: 'auto' }, { token }),
};

const REFUSED = { llm: 401, models: 401, toolsList: 401, toolsRun: 401, ideTools: 401, auto: 401 };
const NOTHING = { llm: 403, models: 403, toolsList: 403, toolsRun: 403, ideTools: 403, auto: 403 };
const LLM = { ...NOTHING, llm: 200, models: 200 };
const TOOLS = { llm: 200, models: 200, toolsList: 503, toolsRun: 503, ideTools: 503, auto: 503 };

test.each<[string, object, object]>([
  ['no scope', {}, NOTHING],
  ['null', { scope: null }, REFUSED],
  ['an object', { scp: { llm: true } }, REFUSED],
  ['an array with a number', { scope: ['llm', 7] }, REFUSED],
  ['a numeric sub', { sub: 7, scope: 'llm' }, REFUSED],
  ['session alone', { scope: 'session approve' }, NOTHING],
  ['llm, as a string', { scope: 'llm' }, LLM],
  ['llm, as an array', { scope: ['llm'] }, LLM],
  ['llm, as scp', { scp: ['llm'] }, LLM],
  ['llm in both, tools in one', { scope: 'llm tools:run tools:list', scp: 'llm' }, LLM],
  ['tools:list', { scope: ['llm', 'tools:list'] }, { ...TOOLS, toolsRun: 403, auto: 403 }],
  ['tools:run', { scope: 'llm tools:run' }, { ...TOOLS, toolsList: 403, ideTools: 403 }],
  ['tools:list without llm', { scp: 'tools:list' }, { ...NOTHING, toolsList: 503 }],
  ['all of them', { scp: ['llm', 'tools:list', 'tools:run'] }, TOOLS],
])(verifies('G1:jwt-doors', 'at the proxy a JWT may do what its scopes name and no more: %s'), async (_, claims, expected) => {
  const token = signJwt(claims);
  const found = await Promise.all(Object.entries(REQUESTS).map(async ([name, ask]) => [name, (await ask(token)).status]));
  expect(Object.fromEntries(found)).toEqual(expected);
});
