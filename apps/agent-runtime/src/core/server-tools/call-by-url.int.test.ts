import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { ServerTool } from '@codelab/bus';
import { Egress, parseEgressAllow } from '@codelab/egress';
import { JsonText } from '@codelab/protocol';
import { NO_SECRETS, type SecretSource } from '@codelab/tools';
import { verifies } from '@codelab/testkit';
import { callByUrl, MAX_ANSWER_BYTES } from './call-by-url.js';

let server: Server;
let egress: Egress;
let url: string;
let got: { readonly body: string; readonly headers: NodeJS.Dict<string | string[]> } | undefined;
let answer: (response: ServerResponse) => void;
let count = 0;

beforeAll(async () => {
  server = createServer((request, response) => {
    let body = '';
    request.setEncoding('utf8').on('data', (text: string) => (body += text));
    request.on('end', () => {
      got = { body, headers: request.headers };
      count += 1;
      answer(response);
    });
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  url = `http://127.0.0.1:${String((server.address() as AddressInfo).port)}/tool`;
  egress = new Egress({ allow: parseEgressAllow('127.0.0.1') });
});
afterAll(async () => {
  await egress.close();
  server.closeAllConnections();
  await new Promise((done) => server.close(done));
});

const call = async (args = '{}', more: Partial<ServerTool> = {}, secrets: SecretSource = NO_SECRETS) => {
  const tool = {
    ...{ name: 'weather', description: '', inputSchema: {}, tags: [], timeoutMs: 10_000 },
    url,
    headers: { 'x-key': 'k' },
    ...more,
  };
  const outcome = await callByUrl(tool, args, { egress, secrets, signal: new AbortController().signal });
  if (!outcome.ok) return { ok: false, ...outcome.error };
  return { ok: true, result: outcome.result instanceof JsonText ? outcome.result.text : outcome.result };
};
const says = (text: string, type = 'application/json', status = 200) => {
  answer = (response) => response.writeHead(status, { 'content-type': type }).end(text);
};

test(verifies('L3:http-tool', 'a tool by URL gets its arguments and gives its answer to the letter'), async () => {
  says('{"output": [{"content": "sunny", "n": 12345678901234567890}], "b": 1e-7}');
  const args = '{"z": 12345678901234567890, "a": "\\u0041"}';
  expect(await call(args)).toEqual({ ok: true, result: '{"output": [{"content": "sunny", "n": 12345678901234567890}], "b": 1e-7}' });
  expect(got).toMatchObject({ body: `{"arguments":${args}}`, headers: { 'x-key': 'k', 'content-type': 'application/json' } });
});

test.each([
  ['plain words', 'text/plain', '{"output":"plain words"}'],
  ['7', 'text/plain', '{"output":"7"}'],
  ['[1, 2]', 'application/json', '{"output":[1, 2]}'],
  ['not json', 'application/json', '{"output":"not json"}'],
  ['', 'text/plain', '{"output":""}'],
])('%j as %s becomes %s', async (text, type, result) => {
  says(text, type);
  expect(await call()).toEqual({ ok: true, result });
});

test('any other status is an error that the model reads, with the words of the server', async () => {
  says('{"detail":"no such city"}', 'application/json', 404);
  expect(await call()).toEqual({
    ...{ ok: false, code: 'HTTP_ERROR' },
    message: 'The server of the tool weather answered with status 404: {"detail":"no such city"}',
  });
  says('', 'text/plain', 500);
  expect(await call()).toMatchObject({ ok: false, message: 'The server of the tool weather answered with status 500.' });
});

test('what goes wrong on the way is told by what it is', async () => {
  answer = (response) => response.flushHeaders();
  expect(await call('{}', { timeoutMs: 50 })).toEqual({
    ok: false,
    code: 'TIMEOUT',
    message: 'The tool weather gave no answer: no whole answer within 50 ms.',
  });
  says('x'.repeat(MAX_ANSWER_BYTES + 1), 'text/plain');
  expect(await call()).toMatchObject({ ok: false, code: 'FILE_TOO_LARGE' });
  answer = (response) => void response.destroy();
  expect(await call()).toMatchObject({ ok: false, code: 'HTTP_ERROR' });
  expect(await call('{}', { url: 'http://169.254.169.254/' })).toMatchObject({ ok: false, code: 'PERMISSION_DENIED' });
});

test(verifies('L1:http-tool-secrets', 'secrets in what a tool by URL answers are masked before anybody reads them'), async () => {
  const key = `AKIA${'ABCDEFGHIJKLMNOP'}`;
  for (const type of ['application/json', 'text/plain']) {
    says(JSON.stringify({ output: `the key is ${key} indeed` }), type);
    const told = await call();
    expect(told).toMatchObject({ ok: true, result: expect.stringContaining('indeed') });
    expect(JSON.stringify(told)).not.toContain(key);
  }
  says(`refused ${key}`, 'text/plain', 403);
  expect(JSON.stringify(await call())).not.toContain(key);
});

test(
  verifies('R2:http-tool-retries', 'a safe tool by URL is called again after what passes, and one that takes effect never'),
  async () => {
    const flaky = (): void => {
      answer = (response) => (count % 2 === 1 ? response.writeHead(503).end('busy') : response.writeHead(200).end('{"output":"at last"}'));
      count = 0;
    };
    flaky();
    expect(await call('{}', { idempotency: 'safe' })).toEqual({ ok: true, result: '{"output":"at last"}' });
    expect(count).toBe(2);
    flaky();
    expect(await call()).toMatchObject({ ok: false, code: 'HTTP_ERROR' });
    expect(count).toBe(1);
    answer = (response) => response.writeHead(400).end('no');
    count = 0;
    expect(await call('{}', { idempotency: 'safe' })).toMatchObject({ ok: false, code: 'HTTP_ERROR' });
    expect(count).toBe(1);
  },
);

test(
  verifies('L1:http-tool-references', 'a secret by reference is sent where the operator allows it, and is in no answer that anybody reads'),
  async () => {
    const value = ['top', 'secret', 'word'].join('-');
    const secrets: SecretSource = { find: (name) => (name === 'KEY' ? { value, hosts: [new URL(url).host] } : undefined) };
    answer = (response) =>
      response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify({ output: `you sent Bearer ${value}` }));
    const headers = { authorization: 'Bearer ${secret:KEY}' };
    expect(await call('{}', { headers }, secrets)).toEqual({ ok: true, result: '{"output":"you sent [masked]"}' });
    expect(got?.headers.authorization).toBe(`Bearer ${value}`);
    const told = await call('{}', { headers: { authorization: '${secret:OTHER}' } }, secrets);
    expect(told).toMatchObject({ ok: false, code: 'TOOL_FAILED', message: expect.stringContaining('OTHER') });
  },
);

test(
  verifies('L1:http-tool-references', 'a secret is in no answer where it stood among other words, and half of it is in no error'),
  async () => {
    const value = ['top', 'secret', 'word'].join('-');
    const secrets: SecretSource = { find: (name) => (name === 'KEY' ? { value, hosts: [new URL(url).host] } : undefined) };
    const headers = { cookie: 'a${secret:KEY}' };
    says(JSON.stringify({ output: `session: ${value}`, escaped: 'x' }).replace('top-secret', 'top\\u002dsecret'));
    expect(await call('{}', { headers }, secrets)).toEqual({ ok: true, result: '{"output":"session: [masked]","escaped":"x"}' });
    says(`${'.'.repeat(4_096 - value.length + 1)}${value}`, 'text/plain', 400);
    expect(JSON.stringify(await call('{}', { headers }, secrets))).not.toContain(value.slice(0, -1));
  },
);

test('an answer that has a value of a header as a number stays JSON', async () => {
  says('{"account": 1234567890, "n": 12345678901234567890, "of": "1234567890"}');
  const told = await call('{}', { headers: { 'x-account': '1234567890' } });
  expect(told).toEqual({ ok: true, result: '{"account": "[masked]", "n": 12345678901234567890, "of": "[masked]"}' });
});
