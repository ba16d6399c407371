import { expect, test } from 'vitest';
import { Egress, parseEgressAllow } from '@codelab/egress';
import { parseNewTool } from './parse-new-tool.js';

const egress = new Egress({ allow: parseEgressAllow('127.0.0.1:9000') });
const good = {
  ...{ name: 'get_weather', description: 'Tells the weather.', url: 'https://api.example.com/weather' },
  inputSchema: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] },
};
const checks = {
  checkUrl: (url: string) => egress.check(url),
  hasMcpServer: (name: string) => name === 'docs',
  hostsOfSecret: (name: string) => (name === 'KEY' ? ['api.example.com'] : undefined),
};
const parse = (more: object) => parseNewTool({ ...good, ...more }, checks);

test('a tool has other names for its fields, may be one of an MCP server, and may say that it is safe', () => {
  const { url, inputSchema, ...rest } = good;
  expect(parseNewTool({ ...rest, uri: url, input_schema: inputSchema, readonly: true }, checks)).toMatchObject({
    url,
    inputSchema,
    idempotency: 'safe',
  });
  expect(parse({ url: 'mcp://docs/search%20all' })).toMatchObject({ url: 'mcp://docs/search%20all' });
  expect(parse({ readonly: true, idempotency: 'unsafe' })).toMatchObject({ idempotency: 'unsafe' });
  expect(parse({ headers: { 'X-Key': 'Bearer ${secret:KEY}' } })).toMatchObject({ headers: { 'x-key': 'Bearer ${secret:KEY}' } });
});

test('a tool has defaults, its headers lower-case names, its tags one of each', () => {
  expect(parse({})).toEqual({ ...good, headers: {}, tags: [], timeoutMs: 30_000 });
  expect(parse({ headers: { 'X-Key': 's' }, tags: ['a', 'a', 'b c'], timeout_ms: 5, method: 'POST', extra: 1 })).toEqual({
    ...{ ...good, headers: { 'x-key': 's' }, tags: ['a', 'b c'], timeoutMs: 5 },
  });
  expect(parse({ url: 'http://127.0.0.1:9000/x', headers: null, tags: null })).toMatchObject({ url: 'http://127.0.0.1:9000/x' });
});

test.each([
  [{ name: 'read_file' }, 'name', 'built-in'],
  [{ name: 'git_diff' }, 'name', 'built-in'],
  [{ name: 'git.diff' }, 'name', '1 to 64'],
  [{ name: 'client__x' }, 'name', 'client__'],
  [{ name: 'Client__x' }, 'name', 'client__'],
  [{ name: '' }, 'name', '1 to 64'],
  [{ name: 'x'.repeat(65) }, 'name', '1 to 64'],
  [{ name: 'mcp__docs__search' }, 'name', 'mcp__'],
  [{ url: 'mcp://docs' }, 'url', 'mcp://server/tool'],
  [{ url: 'mcp://other/search' }, 'url', 'other'],
  [{ url: 'mcp://docs/search', headers: { 'x-key': 'k' } }, 'headers', 'http'],
  [{ headers: { 'x-key': '${secret:NONE}' } }, 'headers.x-key', 'NONE'],
  [{ url: 'https://evil.example.org/', headers: { 'x-key': '${secret:KEY}' } }, 'headers.x-key', 'may not be sent'],
  [{ readonly: 'yes' }, 'readonly', 'true or false'],
  [{ idempotency: 'often' }, 'idempotency', 'safe'],
  [{ name: 7 }, 'name', '1 to 64'],
  [{ description: ' ' }, 'description', 'models read it'],
  [{ description: 'x'.repeat(5_000) }, 'description', '4096'],
  [{ inputSchema: undefined }, 'inputSchema', 'JSON Schema'],
  [{ inputSchema: [] }, 'inputSchema', 'JSON Schema'],
  [{ inputSchema: {} }, 'inputSchema', '"object"'],
  [{ inputSchema: { type: 'string' } }, 'inputSchema', '"object"'],
  [{ inputSchema: { type: 'object', properties: 7 } }, 'inputSchema', 'at /properties'],
  [{ method: 'GET' }, 'method', 'POST'],
  [{ timeout_ms: 0 }, 'timeout_ms', '60000'],
  [{ timeout_ms: 60_001 }, 'timeout_ms', '60000'],
  [{ timeout_ms: 1.5 }, 'timeout_ms', '60000'],
  [{ url: 'ftp://x.test' }, 'url', 'neither http'],
  [{ url: 'http://127.0.0.1:9001/' }, 'url', 'not a public address'],
  [{ url: 'http://169.254.169.254/latest' }, 'url', 'not a public address'],
  [{ url: 'https://u:p@x.test/' }, 'url', 'password'],
  [{ url: 7 }, 'url', 'URL'],
  [{ headers: [] }, 'headers', 'names and texts'],
  [{ headers: { Host: 'x' } }, 'headers', 'Host'],
  [{ headers: { 'Transfer-Encoding': 'chunked' } }, 'headers', 'Transfer-Encoding'],
  [{ headers: { 'a b': 'x' } }, 'headers', 'a b'],
  [{ headers: { 'x-a': 'one\r\nx-b: two' } }, 'headers.x-a', 'printable'],
  [{ headers: { 'x-a': 7 } }, 'headers.x-a', 'printable'],
  [{ headers: Object.fromEntries(Array.from({ length: 33 }, (_, i) => [`x-${String(i)}`, ''])) }, 'headers', '32'],
  [{ tags: 'a' }, 'tags', 'list'],
  [{ tags: ['a,b'] }, 'tags', 'commas'],
  [{ tags: [' a'] }, 'tags', 'commas'],
  [{ inputSchema: { type: 'object', description: 'x'.repeat(70_000) } }, 'body', '65536'],
])('%j is refused by its field', (more, param, words) => {
  expect(() => parse(more)).toThrow(expect.objectContaining({ kind: 'invalid_request', param, message: expect.stringContaining(words) }));
});

test.each([null, [], 'x', 7])('%j is no tool', (body) => {
  expect(() => parseNewTool(body, checks)).toThrow(expect.objectContaining({ kind: 'invalid_request', param: 'body' }));
});
