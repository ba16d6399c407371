import { createHmac } from 'node:crypto';
import { expect, test } from 'vitest';
import { pino } from 'pino';
import { AccessConfig } from '../config/access-config.js';
import { readConfig } from '../config/read-config.js';
import { loadAuthenticate } from './load-authenticate.js';

const SECRET = 'a-secret-of-more-than-thirty-two-characters';
const ENVIRONMENT = {
  CODELAB_TOKENS: 'key=acme/ann',
  CODELAB_JWT_ISSUER: 'https://issuer.example',
  CODELAB_JWT_AUDIENCE: 'codelab',
  CODELAB_JWT_SECRET: SECRET,
};

const base64 = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url');

function signJwt(more: object, secret = SECRET): string {
  const claims = { iss: 'https://issuer.example', aud: 'codelab', sub: 'carol', exp: Math.floor(Date.now() / 1_000) + 3_600, ...more };
  const signed = `${base64({ alg: 'HS256' })}.${base64(claims)}`;
  return `${signed}.${createHmac('sha256', secret).update(signed).digest('base64url')}`;
}

test('a signed token with claims that grant nothing is logged by its fault, never by its text; a forged one is not worth a line', async () => {
  const lines: string[] = [];
  const logger = pino({ level: 'info' }, { write: (line) => void lines.push(line) });
  const authenticate = await loadAuthenticate(readConfig(AccessConfig, ENVIRONMENT), logger);
  const token = signJwt({ scope: { llm: 'a value' } });
  expect(await authenticate(token)).toMatchObject({ ok: false, code: 'TOKEN_INVALID' });
  await authenticate(signJwt({ scope: null }, `${SECRET}!`));
  expect(lines.map((line) => JSON.parse(line) as object)).toEqual([
    expect.objectContaining({ event: 'token.refused', fault: expect.stringMatching(/^scope must be/) }),
  ]);
  for (const part of [...token.split('.'), 'a value', 'carol']) expect(lines.join('')).not.toContain(part);
});

test.each([
  [undefined, []],
  ['false', []],
  ['true', ['llm', 'tools:list', 'tools:run', 'session', 'approve']],
])('CODELAB_JWT_UNSCOPED_MAY_DO_ALL=%s: a token that names no scopes has %j', async (setting, scopes) => {
  const config = readConfig(AccessConfig, { ...ENVIRONMENT, CODELAB_JWT_UNSCOPED_MAY_DO_ALL: setting });
  expect(await (await loadAuthenticate(config, pino({ level: 'silent' })))(signJwt({}))).toMatchObject({ identity: { scopes } });
});
