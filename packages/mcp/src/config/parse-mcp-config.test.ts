import { expect, test } from 'vitest';
import { verifies } from '@codelab/testkit';
import { parseMcpConfig } from './parse-mcp-config.js';

const environment: Readonly<Record<string, string>> = { HOME: '/home/me', TOKEN: 'value-of-token', EMPTY: '' };
const parse = (text: string) => parseMcpConfig(text, { file: 'mcp.json', lookup: (name) => environment[name] });
const one = (server: object) => parse(JSON.stringify({ mcpServers: { one: server } }));

test('a program and a URL are read, with their variables put in', () => {
  const { servers, problems } = parse(`{
    // comments are fine
    "mcpServers": {
      "files": { "command": "npx", "args": ["-y", "server", "\${HOME}/work"], "env": { "A": "\${TOKEN}", "B": "\${NONE:-b}", "C": "\${EMPTY:-c}" } },
      "web": { "type": "http", "url": "https://x.example/mcp", "headers": { "Authorization": "Bearer \${TOKEN}" }, "timeout": 5000 },
    }
  }`);
  expect(problems).toEqual([]);
  expect(servers).toEqual([
    {
      name: 'files',
      transport: { kind: 'stdio', command: 'npx', args: ['-y', 'server', '/home/me/work'], env: { A: 'value-of-token', B: 'b', C: 'c' } },
    },
    {
      name: 'web',
      transport: { kind: 'http', url: 'https://x.example/mcp', headers: { Authorization: 'Bearer value-of-token' } },
      timeoutMs: 5000,
    },
  ]);
});

test('without a lookup variables stay as they are written', () => {
  const { servers } = parseMcpConfig('{"mcpServers": {"a": {"command": "${X}", "args": ["${Y:-z}"]}}}', { file: 'f' });
  expect(servers[0]?.transport).toMatchObject({ command: '${X}', args: ['${Y:-z}'] });
});

test(
  verifies('G2:mcp-config', 'a mistake in the configuration of an MCP server names file, line and field, and puts off only that server'),
  () => {
    const { servers, problems } = parse(
      [
        '{"mcpServers": {',
        '"good": {"command": "a"},',
        '"bad": {"command": "b",',
        '"args": ["x",',
        '7, {}]},',
        '"gone": {"command": "${NOPE}"}}}',
      ].join('\n'),
    );
    expect(servers.map(({ name }) => name)).toEqual(['good']);
    expect(problems).toEqual([
      { file: 'mcp.json', line: 5, server: 'bad', field: 'mcpServers.bad.args[2]', message: 'It should be a text.' },
      {
        file: 'mcp.json',
        line: 6,
        server: 'gone',
        field: 'mcpServers.gone.command',
        message: 'The variable NOPE is not set: set it, or write ${NOPE:-default}.',
      },
    ]);
  },
);

test.each<readonly [string, object, string]>([
  ['nothing to start', {}, 'command'],
  ['both', { command: 'a', url: 'https://a' }, 'command'],
  ['another type', { type: 'pipe', command: 'a' }, 'type'],
  ['no URL', { type: 'http' }, 'url'],
  ['a file URL', { url: 'file:///etc/passwd' }, 'url'],
  ['a password', { url: 'https://a:b@c/' }, 'url'],
  ['a field that is none', { command: 'a', arg: [] }, 'arg'],
  ['a bad header', { url: 'https://a', headers: { 'a b': 'c' } }, 'headers.a b'],
  ['a line in a header', { url: 'https://a', headers: { a: 'c\nd: e' } }, 'headers.a'],
  ['a time', { command: 'a', timeoutMs: 0 }, 'timeoutMs'],
  ['a flag', { command: 'a', disabled: 'yes' }, 'disabled'],
])('%s is said with its field', (_, server, field) => {
  const { servers, problems } = one(server);
  expect(servers).toEqual([]);
  expect(problems.map((problem) => problem.field)).toContain(`mcpServers.one.${field}`);
});

test.each([
  ['{"mcpServers": {', 'not valid JSON: a comma, a quote or a bracket is missing', 1],
  ['{"mcpServers": {\n"a": {"command": "x"},\n"a": {"command": "y"}}}', 'not valid JSON', 3],
  ['[]', 'should be an object', 1],
  ['{}', 'no "mcpServers"', 1],
  ['{"mcpServers": []}', 'a name for each server', 1],
])('%j as a whole is told', (text, message, line) => {
  const { servers, problems } = parse(text);
  expect(servers).toEqual([]);
  expect(problems).toEqual([expect.objectContaining({ line, message: expect.stringContaining(message) as unknown })]);
});

test('tabs, names that no server may have, and names that differ by case alone', () => {
  const { servers, problems } = parse(
    '{\n\t"mcpServers": {\n\t\t"a": {"command": "x"},\n\t\t"A": {"command": "y"},\n\t\t"a__b": {"command": "z"}\n\t}\n}',
  );
  expect(servers.map(({ name }) => name)).toEqual(['a']);
  expect(problems.map(({ line, server }) => [line, server])).toEqual([
    [4, 'A'],
    [5, 'a__b'],
  ]);
});

test('an empty file is a configuration without servers', () => expect(parse(' \n')).toEqual({ servers: [], problems: [] }));

test.each([
  ['aliases', 'mcpServers:\n  a: &a {command: x}\n  b: *a\n', 'mcpServers.b'],
  ['aliases inside', 'mcpServers:\n  a: {command: x, args: [&b z, *b]}\n', 'mcpServers.a'],
  ['brackets', `{"mcpServers": ${'['.repeat(5_000)}${']'.repeat(5_000)}}`, ''],
  ['lists on one line', `mcpServers:\n  ${'- '.repeat(5_000)}x`, ''],
  ['indentation', Array.from({ length: 300 }, (_, depth) => `${' '.repeat(depth)}a:`).join('\n'), ''],
  ['comments that do not end', '/*'.repeat(30_000), ''],
  ['quotes that do not end', `"${'\\"'.repeat(30_000)}\\\n`, ''],
])(verifies('G4:mcp-config', 'a file that is made to hang or end the process is a problem: %s'), (_, text, field) => {
  const beganAtMs = Date.now();
  for (let time = 0; time < 5; time += 1) expect(parse(text).problems).toMatchObject([{ field }]);
  expect(Date.now() - beganAtMs).toBeLessThan(10_000);
});
