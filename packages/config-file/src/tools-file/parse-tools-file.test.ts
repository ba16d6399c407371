import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { verifies } from '@codelab/testkit';
import { parseToolsFile, ToolsFileError } from './parse-tools-file.js';

const SET: Readonly<Record<string, string>> = { TOKEN: 'hunter2', KEY: 'k' };
const parse = (text: string) => parseToolsFile(text, (name) => SET[name]);
const SCHEMA = '{type: object}';

test.each<[yaml: string, problem: string]>([
  ['mcp_servers: {a: {}}', 'mcp_servers.a.url is missing: write a text.'],
  ['mcp_servers: {a: }', 'mcp_servers.a is empty: write names with values below it.'],
  [
    'mcp_servers: {a__b: {url: "http://x"}}',
    "mcp_servers.a__b has a name that can't be: names of servers are of letters, digits, - and single _, at most 32.",
  ],
  [
    'mcp_servers: {a: {url: "ftp://x"}}',
    "mcp_servers.a.url can't be used: write a URL that begins with http:// or https:// and holds no user, password or fragment.",
  ],
  ['mcp_servers: {a: {url: "http://x", transport: stdio}}', 'mcp_servers.a.transport must be one of http, sse.'],
  ['mcp_servers: {a: {url: "http://x", policy: allow}}', 'mcp_servers.a.policy must be one of ask, deny.'],
  ['mcp_servers: {a: {url: "http://x", owners: [me]}}', "mcp_servers.a.owners[0] can't be used: write tenant/name, tenant/* or *."],
  ['mcp_servers: {a: {url: "http://x", timeout_ms: 0}}', 'mcp_servers.a.timeout_ms must be >= 1.'],
  ['mcp_servers: {a: {url: "http://x", tools: {only: [x]}}}', 'mcp_servers.a.tools.only is not known: there is include, exclude.'],
  ['mcp_servers: {a: {url: "http://x", token_env: NOT_SET}}', 'mcp_servers.a.token_env names NOT_SET, which is not set.'],
  [
    'mcp_servers: {a: {url: "http://x", headers: {Authorization: "Bearer ${env:NOT_SET}"}}}',
    'mcp_servers.a.headers.Authorization names NOT_SET, which is not set.',
  ],
  [
    'mcp_servers: {a: {url: "http://x", headers: {X-Key: "${TOKEN}"}}}',
    "mcp_servers.a.headers.X-Key has a reference that can't be: write ${env:NAME} or ${secret:NAME}.",
  ],
  [
    'mcp_servers: {a: {url: "http://x", headers: {X-Key: "${secret:none}"}}}',
    'mcp_servers.a.headers.X-Key names the secret none, which is not there: add it to secrets.',
  ],
  [
    'secrets: {s: {env: TOKEN, hosts: [y]}}\nmcp_servers: {a: {url: "http://x", headers: {X-Key: "${secret:s}"}}}',
    'mcp_servers.a.headers.X-Key names the secret s, which may not go to the host and port of url: add x to secrets.s.hosts.',
  ],
  [
    'secrets: {s: {env: TOKEN, hosts: [x]}}\nmcp_servers: {a: {url: "http://x:8080", headers: {X-Key: "${secret:s}"}}}',
    'mcp_servers.a.headers.X-Key names the secret s, which may not go to the host and port of url: add x:8080 to secrets.s.hosts.',
  ],
  [
    'mcp_servers: {a: {url: "http://x", token_env: TOKEN, oauth: {client_id: c, client_secret_env: KEY, token_url: "http://y"}}}',
    'mcp_servers.a.oauth stands beside token_env: write one of them.',
  ],
  [
    `tools: {read_file: {description: d, url: "http://x", input_schema: ${SCHEMA}}}`,
    'tools.read_file has a name that is taken: give it another one.',
  ],
  [
    'tools: {a: {description: d, url: "http://x", input_schema: {type: 7}}}',
    'tools.a.input_schema is no JSON Schema of an object: at /type must be equal to one of the allowed values.',
  ],
  ['tools: {a: {description: d, url: "http://x"}}', 'tools.a.input_schema is missing: write names with values below it.'],
  ['search: {provider: bing}', 'search.provider must be one of searxng, brave, tavily, http.'],
  ['search: {provider: brave}', 'search.api_key_env is missing: brave wants a key.'],
  ['search: {provider: searxng}', 'search.url is missing: write the URL of the SearXNG server.'],
  ['search: {provider: http, url: "http://x"}', 'search.url has no {query}: write it where the words go.'],
  [
    'search: {provider: brave, api_key_env: KEY, results: x}',
    'search.provider answers in its own shape: results, title, link, snippet, content are for http.',
  ],
  [
    'secrets: {s: {env: TOKEN, hosts: ["*"]}}',
    "secrets.s.hosts[0] can't be used: write a host such as api.example.com or api.example.com:8443, or *.example.com for all below one.",
  ],
  ['secrets: {s: {env: TOKEN}}', 'secrets.s.hosts is missing: write a list.'],
])('%s', (yaml, problem) => {
  const { problems } = parse(yaml);
  expect(problems).toEqual([`line ${String(yaml.split('\n').length)}: ${problem}`]);
});

const MIXED = `
mcp_servers:
  good:
    url: https://mcp.example.com/mcp
    headers: { Authorization: 'Bearer \${secret:token}' }
  broken:
    url: https://mcp.example.com/mcp
    timeout_ms: soon
  lost:
    url: https://mcp.example.com/mcp
    headers:
      X-Key: \${secret:unset}
secrets:
  token: { env: TOKEN, hosts: ['*.example.com'] }
  unset: { env: NOT_SET, hosts: [mcp.example.com] }
search: { provider: brave }
`;

test(
  verifies('G2:tools-file-entry', 'an entry that is wrong is off by itself, told with its line and field; what refers to it goes with it'),
  () => {
    const { file, problems } = parse(MIXED);
    expect(problems).toEqual([
      'line 8: mcp_servers.broken.timeout_ms is a text: write a whole number.',
      'line 12: mcp_servers.lost.headers.X-Key names the secret unset, which is not there: add it to secrets.',
      'line 15: secrets.unset.env names NOT_SET, which is not set.',
      'line 16: search.api_key_env is missing: brave wants a key.',
    ]);
    expect([Object.keys(file.mcp_servers), Object.keys(file.secrets), file.search]).toEqual([['good'], ['token'], undefined]);
  },
);

test.each([
  ['mcp_servers: {', 'Line 1 is no YAML (BAD_INDENT).'],
  ['\nservers: {}', 'line 2: servers is not known: there is mcp_servers, tools, search, secrets.'],
  ['mcp_servers: []', 'line 1: mcp_servers is a list: write names with values below it.'],
  ['[]', 'line 1: The file is a list: write names with values below it.'],
])(verifies('G2:tools-file-whole', 'what is wrong outside every entry makes the whole file unreadable: %s'), (yaml, problem) => {
  expect(() => parse(yaml)).toThrow(new ToolsFileError([problem]));
});

test(verifies('L1:tools-file', 'no value of a tools file is repeated, for it could be a key'), () => {
  const secret = 'sk-very-secret';
  for (const yaml of [
    `mcp_servers: {a: {url: "http://me:${secret}@x"}}`,
    `mcp_servers: {a: {url: "http://x", token_env: ${secret}}}`,
    `mcp_servers: {a: {url: "http://x", token: ${secret}}}`,
    `mcp_servers: {a: {url: "http://x", timeout_ms: ${secret}}}`,
    `secrets: {s: {env: ${secret}, hosts: [x]}}`,
  ]) {
    const { file, problems } = parse(yaml);
    expect(problems).toHaveLength(1);
    expect(problems.join() + JSON.stringify(file)).not.toContain(secret);
  }
});

test('an empty file, or one of comments, says nothing', () => {
  for (const text of ['', '# nothing', '{}'])
    expect(parse(text)).toEqual({ file: { mcp_servers: {}, tools: {}, secrets: {} }, problems: [] });
});

test('the example is right, with its variables set', async () => {
  const text = await readFile(new URL('../../../../codelab.tools.example.yaml', import.meta.url), 'utf8');
  const { file, problems } = parseToolsFile(text, () => 'set');
  expect(problems).toEqual([]);
  expect([Object.keys(file.mcp_servers), Object.keys(file.tools), Object.keys(file.secrets), file.search?.provider]).toEqual([
    ['docs', 'issues', 'crm'],
    ['weather'],
    ['WEATHER_KEY'],
    'searxng',
  ]);
  expect(parseToolsFile(text, () => undefined).problems.length).toBeGreaterThan(0);
});
