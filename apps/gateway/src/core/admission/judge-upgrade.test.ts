import { expect, test } from 'vitest';
import { judgeUpgrade, type UpgradeRequest } from './judge-upgrade.js';

const SOURCES = { origins: ['https://codelab.example.com'], hosts: ['gateway.example'] };
const judge = (request: Partial<UpgradeRequest>, sources = SOURCES): unknown => {
  const judged = judgeUpgrade({ url: '/ws/s1', host: '127.0.0.1:8000', ...request }, sources);
  return judged.ok ? [judged.sessionId, judged.token] : judged.status;
};

test.each<[string, Partial<UpgradeRequest>, unknown]>([
  ['a session', {}, ['s1', undefined]],
  ['a slash at the end', { url: '/ws/s1/' }, ['s1', undefined]],
  ['a query that is no token', { url: '/ws/new?client=x' }, ['new', undefined]],
  ['a bearer token', { authorization: 'bearer abc' }, ['s1', 'abc']],
  ['a token in a subprotocol', { protocols: 'codelab.v1, codelab.bearer.abc' }, ['s1', 'abc']],
  ['a header that counts before the subprotocol', { authorization: 'Bearer a', protocols: 'codelab.bearer.b' }, ['s1', 'a']],
  ['another scheme', { authorization: 'Basic abc' }, 401],
  ['an empty token', { authorization: 'Bearer ' }, 401],
  ['a token in the URL', { url: '/ws/s1?token=abc', authorization: 'Bearer abc' }, 400],
  ['an empty token in the URL', { url: '/ws/s1?token' }, 400],
  ['no session', { url: '/ws/' }, 400],
  ['a session with a dot', { url: '/ws/a.b' }, 400],
  ['a session of 65 characters', { url: `/ws/${'a'.repeat(65)}` }, 400],
  ['another path', { url: '/' }, 404],
  ['a path below', { url: '/ws/s1/x' }, 404],
  ['a path that is none', { url: '//' }, 404],
])('%s', (_, request, expected) => {
  expect(judge(request)).toEqual(expected);
});

test.each<[string, Partial<UpgradeRequest>, boolean]>([
  ['a program', {}, true],
  ['a listed page', { origin: 'https://codelab.example.com' }, true],
  ['a listed host by another scheme', { origin: 'http://codelab.example.com' }, false],
  ['a page of the gateway', { origin: 'http://127.0.0.1:8000' }, true],
  ['a page of the gateway by name', { origin: 'http://localhost:8000', host: 'localhost:8000' }, true],
  ['a page of the gateway by a name of the setting', { origin: 'https://gateway.example', host: 'gateway.example' }, true],
  ['a page of another port', { origin: 'http://127.0.0.1:3000' }, false],
  ['a foreign page', { origin: 'https://evil.example' }, false],
  ['a page without origin', { origin: 'null' }, false],
  ['a name that a foreign resolver leads here', { origin: 'http://evil.example:8000', host: 'evil.example:8000' }, false],
  ['that name without an origin', { host: 'evil.example:8000' }, false],
  ['a name that only looks local', { origin: 'http://127.0.0.1.evil.example', host: '127.0.0.1.evil.example' }, false],
])('source: %s', (_, request, isWelcome) => {
  expect(judge(request)).toEqual(isWelcome ? ['s1', undefined] : 403);
});
