import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { verifies } from '@codelab/testkit';
import { runCommand } from '../start-system.js';
import { EVERYTHING } from '../use-mcp.js';

let home: string;
let folder: string;
beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), 'codelab-mcp-home-'));
  folder = join(home, 'project');
  await mkdir(folder);
});
afterEach(() => rm(home, { recursive: true, force: true }));

/** Runs `codelab mcp …` as a person would who has just installed it. */
const mcp = (...words: readonly string[]) => {
  const [verb = '', ...rest] = words;
  const env = { PATH: process.env.PATH, HOME: home, CODELAB_DATA_DIR: join(home, 'data') };
  return runCommand(['mcp', verb, '--workspace', folder, ...rest], { env });
};
const file = () => join(home, '.config/codelab/mcp.json');

test(verifies('G2:mcp-commands', 'a server is added, tried, listed, called and taken out, as docs/mcp.md says'), async () => {
  const added = await mcp('add', 'everything', '--', process.execPath, EVERYTHING);
  expect(added).toMatchObject({ code: 0, stdout: expect.stringContaining('codelab mcp test everything tries it') });
  expect(JSON.parse(await readFile(file(), 'utf8'))).toEqual({
    mcpServers: { everything: { command: process.execPath, args: [EVERYTHING] } },
  });

  const tried = await mcp('test', 'everything');
  expect(tried.code).toBe(0);
  expect(tried.stdout).toMatch(/everything\s+ready[^]*Tools[^]*echo[^]*Prompts[^]*simple-prompt[^]*Resources/);
  const called = await mcp('test', 'everything', '--call', 'echo', '--args', '{"message": "hello"}');
  expect(called).toMatchObject({ code: 0, stdout: 'Echo: hello\n' });

  const listed = await mcp('list', '--json');
  expect(listed.code).toBe(0);
  expect(JSON.parse(listed.stdout)).toMatchObject({ servers: [{ name: 'everything', status: { kind: 'ready' } }], problems: [] });

  expect(await mcp('remove', 'everything')).toMatchObject({ code: 0 });
  expect((await mcp('list')).stdout).toContain('No MCP server is configured');
});

test(verifies('G2:mcp-commands', 'what is wrong is said, with what to do, and the status tells scripts'), async () => {
  expect(await mcp('add', 'docs', 'example.com')).toMatchObject({
    code: 0,
    stdout: expect.stringContaining('a server at a URL begins with https://'),
  });
  expect(await mcp('login', 'docs')).toMatchObject({ code: 1, stderr: expect.stringContaining('docs is a program') });
  expect(await mcp('test', 'nobody')).toMatchObject({ stderr: expect.stringContaining('nobody') });
  await mkdir(join(home, '.config/codelab'), { recursive: true });
  await writeFile(file(), '{\n  "mcpServers": {\n    "one": { "comand": "x" }\n  }\n}\n');
  const listed = await mcp('list');
  expect(listed.code).toBe(1);
  expect(listed.stdout).toMatch(/mcp\.json:3/);
});
