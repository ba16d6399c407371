import { createServer, type Server } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { sessionRef } from '@codelab/bus';
import { parseToolsFile, type ToolsFile } from '@codelab/config-file';
import { parseEgressAllow } from '@codelab/egress';
import { JsonText } from '@codelab/protocol';
import { verifies } from '@codelab/testkit';
import type { ServerRun } from '../server-tool.js';
import { OperatorEgress } from './operator-egress.js';
import { operatorSecrets } from './operator-secrets.js';
import { UrlTools } from './url-tools.js';

const SET: Readonly<Record<string, string>> = { WEATHER_KEY: 'the-key-of-weather', TEAM: 'blue' };
const readVariable = (name: string): string | undefined => SET[name];
const ann = sessionRef({ tenant: 'acme', sub: 'ann' }, 's1');
const bob = sessionRef({ tenant: 'other', sub: 'bob' }, 's1');

const run: ServerRun = {
  ...{ callId: 'c', argumentsText: '{"place":"Basel"}', owner: ann.owner, sessionId: 's1', onOutput: () => undefined },
  signal: new AbortController().signal,
};

let server: Server;
let egress: OperatorEgress;
let port: number;
let got: { readonly headers: NodeJS.Dict<string | string[]>; readonly body: string };
beforeAll(async () => {
  egress = new OperatorEgress(parseEgressAllow(''));
  server = createServer((request, response) => {
    let body = '';
    request.setEncoding('utf8').on('data', (text: string) => (body += text));
    request.on('end', () => {
      if (request.url?.startsWith('/to/') === true) {
        return void response.writeHead(307, { location: decodeURIComponent(request.url.slice('/to/'.length)) }).end();
      }
      got = { headers: request.headers, body };
      response.writeHead(200, { 'content-type': 'application/json' }).end('{"output":[{"name":"w","content":"sunny"}]}');
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  ({ port } = server.address() as AddressInfo);
});
afterAll(async () => {
  await egress.close();
  server.closeAllConnections();
  server.close();
});

test(
  verifies('H1:tools-file-url', 'a tool by URL of the tools file is there for its audience, and gets the secrets that the file names'),
  async () => {
    const text = `
tools:
  weather:
    description: The weather.
    input_schema: {type: object}
    url: http://127.0.0.1:${String(port)}/weather
    headers: {X-Key: "\${secret:KEY}", X-Team: "team \${env:TEAM}"}
    tenants: [acme]
    policy: ask
  closed: {description: d, input_schema: {type: object}, url: "http://127.0.0.1:1", policy: deny}
secrets:
  KEY: {env: WEATHER_KEY, hosts: ["127.0.0.1:${String(port)}"], owners: [acme/someone]}
`;
    const { file, problems } = parseToolsFile(text, readVariable);
    expect(problems).toEqual([]);
    const source = new UrlTools({ file, egressFor: (url) => egress.for(url), readVariable });
    expect(await source.list(bob)).toEqual([]);
    const tools = await source.list(ann);
    expect(await source.list(ann)).toBe(tools);
    expect(tools.map(({ definition, policy }) => [definition.name, definition.source, policy?.alwaysAsks])).toEqual([
      ['weather', 'http', true],
    ]);
    const outcome = await tools[0]!.run({ place: 'Basel' }, run);
    expect(outcome).toMatchObject({ ok: true });
    expect(outcome.ok && outcome.result instanceof JsonText && outcome.result.text).toContain('sunny');
    expect(got.body).toBe('{"arguments":{"place":"Basel"}}');
    expect([got.headers['x-key'], got.headers['x-team']]).toEqual(['the-key-of-weather', 'team blue']);
    // the file itself may use a secret that no person but its owner may refer to
    expect(operatorSecrets(file, readVariable, ann.owner).find('KEY')).toBeUndefined();
    expect(operatorSecrets(file, readVariable, { tenant: 'acme', sub: 'someone' }).find('KEY')?.value).toBe('the-key-of-weather');
  },
);

test(
  verifies(
    'L1:tools-file-url',
    'a private address that the tools file names is reached for the tool that names it, and no redirect leads to another',
  ),
  async () => {
    const secret = createServer((_request, response) => void response.end('"the secret"'));
    secret.listen(0, '127.0.0.1');
    await once(secret, 'listening');
    const other = `http://127.0.0.1:${String((secret.address() as AddressInfo).port)}/`;
    const here = `http://127.0.0.1:${String(port)}`;
    const urls = { inside: `${here}/there`, within: `${here}/to/${encodeURIComponent(`${here}/there`)}`, next: other };
    const away = { away: `${here}/to/${encodeURIComponent(other)}` };
    const tools = Object.entries({ ...urls, ...away }).map(([name, url]) => [
      name,
      { description: 'd', input_schema: { type: 'object' as const }, url },
    ]);
    try {
      const file = { tools: Object.fromEntries(tools) as ToolsFile['tools'], secrets: {} };
      const source = new UrlTools({ file, egressFor: (url) => egress.for(url), readVariable });
      const ends = (await source.list(ann)).map(async (tool) => [tool.definition.name, await tool.run({}, run)] as const);
      const outcomes = Object.fromEntries(await Promise.all(ends));
      for (const name of Object.keys(urls)) expect(outcomes[name]).toMatchObject({ ok: true });
      expect(outcomes['away']).toMatchObject({ ok: false, error: { code: 'PERMISSION_DENIED' } });
    } finally {
      secret.closeAllConnections();
      secret.close();
    }
  },
);
