import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { verifies } from '@codelab/testkit';
import type { ProxyConfig } from './config.js';
import { openListedTools } from './listed-tools.js';

let folder: string;
const warnings: object[] = [];
const logger = { warn: (fields: object) => void warnings.push(fields) } as never;
const open = async (text: string) => {
  const toolsFile = join(folder, 'codelab.tools.yaml');
  await writeFile(toolsFile, text);
  return openListedTools({ toolsFile } as ProxyConfig, logger);
};

beforeAll(async () => void (folder = await mkdtemp(join(tmpdir(), 'codelab-listed-'))));
afterAll(() => rm(folder, { recursive: true, force: true }));

test(verifies('S1:listed-tools', 'only those for whom the operator lists a server or a secret may name it'), async () => {
  const listed = await open(`mcp_servers:
  docs: { url: 'https://mcp.example.com/', tenants: [acme] }
secrets:
  TIDES: { env: TIDES_KEY, hosts: [tides.example.com], tenants: [acme] }
`);
  const own = listed({ tenant: 'acme', sub: 'ana' });
  expect([own.hasMcpServer('docs'), own.hasMcpServer('other'), own.hasMcpServer('constructor')]).toEqual([true, false, false]);
  expect([own.hostsOfSecret('TIDES'), own.hostsOfSecret('OTHER')]).toEqual([['tides.example.com'], undefined]);
  const other = listed({ tenant: 'globex', sub: 'ana' });
  expect([other.hasMcpServer('docs'), other.hostsOfSecret('TIDES')]).toEqual([false, undefined]);
});

test('a file that can not be read lists nothing, and is told', async () => {
  const listed = (await open('mcp_servers: ['))({ tenant: 'acme', sub: 'ana' });
  expect([listed.hasMcpServer('docs'), listed.hostsOfSecret('TIDES')]).toEqual([false, undefined]);
  expect(warnings).toMatchObject([{ event: 'tools_file.unreadable' }]);
});
