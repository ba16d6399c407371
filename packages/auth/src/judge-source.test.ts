import { expect, test } from 'vitest';
import { verifies } from '@codelab/testkit';
import { hostOf, judgeSource } from './judge-source.js';

const RULES = { origins: ['https://console.example.com'], hosts: ['codelab.example.com', '*.apps.example.com'] };
const judge = (host: string | undefined, origin?: string, rules = RULES) => judgeSource({ host, origin }, rules);

test.each([
  ...['localhost', 'localhost:8000', 'LOCALHOST', 'localhost.', 'codelab.localhost:8000', '127.0.0.1:8000', '127.8.8.8', '[::1]:8000'],
  ...['10.0.0.5:8000', '203.0.113.7', '[2001:db8::1]:8000', 'gateway:8000', 'codelab-gateway-1', undefined, ''],
  ...['codelab.example.com', 'CodeLab.Example.com:443', 'codelab.example.com.', 'a.apps.example.com', 'console.example.com'],
])(verifies('G1:host', 'a service is asked by its own names: %s'), (host) => {
  expect(judge(host)).toBe('welcome');
});

test.each([
  ...['evil.example', 'evil.example:8000', '127.0.0.1.evil.example', 'localhost.evil.example', 'codelab.example.com.evil.example'],
  ...['apps.example.com', 'xapps.example.com', 'evil.example@127.0.0.1', '127.0.0.1@evil.example', 'evil.example#127.0.0.1'],
  ...['evil.example, localhost', 'localhost/', 'evil.example\\localhost', '1.2.3.4.5', '..', '.localhost '],
])(verifies('G1:host', 'a name that a foreign resolver leads here is not ours: %s'), (host) => {
  expect(judge(host)).toBe('host');
  expect(judge(host, `http://${host}`)).toBe('host');
});

test.each([
  ['one Host', '/x', ['Host', 'localhost'], 'localhost'],
  ['none', '/x', ['Accept', 'host'], undefined],
  ['the same one twice', '/x', ['Host', 'localhost', 'HOST', 'localhost'], 'localhost'],
  ['a second, foreign one', '/x', ['Host', 'localhost', 'host', 'evil.example'], 'localhost, evil.example'],
  ['an absolute target', 'HTTP://evil.example:80/x', ['Host', 'localhost'], 'localhost, evil.example:80'],
  ['an absolute target alone', 'http://evil.example?x', [], 'evil.example'],
  ['a path like a URL', '//evil.example/x', ['Host', 'localhost'], 'localhost'],
])(verifies('G1:host', 'the name that a request asks by is one, or nobody: %s'), (_, url, rawHeaders, host) => {
  expect(hostOf({ url, rawHeaders })).toBe(host);
  if (host?.includes('evil') === true) expect(judge(host)).toBe('host');
});

test.each([
  ['https://console.example.com', 'codelab.example.com', 'welcome'],
  ['http://localhost:8000', 'localhost:8000', 'welcome'],
  ['https://codelab.example.com', 'codelab.example.com', 'welcome'],
  ['http://console.example.com', 'codelab.example.com', 'origin'],
  ['http://localhost:3000', 'localhost:8000', 'origin'],
  ['https://evil.example', 'localhost:8000', 'origin'],
  ['null', 'localhost:8000', 'origin'],
])('a page of %s that asks %s: %s', (origin, host, verdict) => {
  expect(judge(host, origin)).toBe(verdict);
});

test('`*` takes any name, and foreign pages are foreign all the same', () => {
  const rules = { origins: [], hosts: ['*'] };
  expect(judge('any.example', undefined, rules)).toBe('welcome');
  expect(judge('any.example', 'https://evil.example', rules)).toBe('origin');
});
