import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { ServerTool } from '@codelab/bus';
import { Egress, parseEgressAllow } from '@codelab/egress';
import { verifies } from '@codelab/testkit';
import { callByUrl, MAX_ANSWER_BYTES } from './call-by-url.js';

let server: Server;
let egress: Egress;
let url: string;
let got: { readonly body: string; readonly headers: NodeJS.Dict<string | string[]> } | undefined;
let answer: (response: ServerResponse) => void;

beforeAll(async () => {
  server = createServer((request, response) => {
    let body = '';
    request.setEncoding('utf8').on('data', (text: string) => (body += text));
    request.on('end', () => {
      got = { body, headers: request.headers };
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

const call = (args = '{}', more: Partial<ServerTool> = {}) => {
  const tool = {
    ...{ name: 'weather', description: '', inputSchema: {}, tags: [], timeoutMs: 10_000 },
    url,
    headers: { 'x-key': 'k' },
    ...more,
  };
  return callByUrl(tool, args, { egress, signal: new AbortController().signal });
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
