import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { readConfig, TOOLS_FILE, type Logger } from '@codelab/service-shell';
import { verifies } from '@codelab/testkit';
import { Registry } from 'prom-client';
import { RuntimeConfig } from './config.js';
import { openToolsFile } from './tools-file.js';

let folder: string;
const told: string[] = [];
const logger = { warn: ({ hint }: { hint: string }) => void told.push(hint) } as unknown as Logger; // it warns, and nothing else
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'codelab-tools-'));
});
afterAll(() => rm(folder, { recursive: true }));

const open = (environment: Readonly<Record<string, string>>, metrics = new Registry()) =>
  openToolsFile(readConfig(RuntimeConfig, { CODELAB_DATA_DIR: join(folder, 'data'), XDG_CONFIG_HOME: folder, ...environment }), {
    logger,
    metrics,
  });

test(
  verifies(
    'G2:tools-file-start',
    'the runtime starts with a tools file that has wrong entries, and tells file, line and field; with an unreadable one it does not',
  ),
  async () => {
    expect(await open({})).toEqual({ mcp_servers: {}, tools: {}, secrets: {} });
    const path = join(folder, 'mine.yaml');
    await writeFile(path, 'mcp_servers:\n  good: {url: "https://x"}\n  bad: {url: 5}\n  worse: {}\n');
    const metrics = new Registry();
    expect(Object.keys((await open({ CODELAB_TOOLS_FILE: path }, metrics)).mcp_servers)).toEqual(['good']);
    expect(told).toEqual([
      `These entries of the tools file ${JSON.stringify(path)} can't be used and are off:\n` +
        '  - line 3: mcp_servers.bad.url is a whole number: write a text.\n  - line 4: mcp_servers.worse.url is missing: write a text.',
    ]);
    expect(await metrics.metrics()).toContain('codelab_runtime_tools_file_problems 2');
    await writeFile(path, 'servers: {}');
    await expect(open({ CODELAB_TOOLS_FILE: path })).rejects.toThrow(/mine\.yaml" can't be used:\n {2}- line 1: servers is not known/);
    await expect(open({ CODELAB_TOOLS_FILE: join(folder, 'none.yaml') })).rejects.toMatchObject({ name: 'StartError' });
  },
);

test(
  verifies('L1:working-folder', 'a tools file is that of the data or configuration directory, and never one that only lies where we are'),
  async () => {
    const [config, here] = [join(folder, 'codelab'), join(folder, 'here')];
    for (const path of [config, here]) await mkdir(path, { recursive: true });
    await writeFile(join(here, TOOLS_FILE), 'mcp_servers: {hostile: {url: "https://x"}}');
    const before = process.cwd();
    process.chdir(here);
    try {
      told.length = 0;
      expect((await open({})).mcp_servers).toEqual({});
      expect(told.join()).toContain('codelab.tools.yaml in this folder is not read: set CODELAB_TOOLS_FILE');
      await writeFile(join(config, TOOLS_FILE), 'mcp_servers: {mine: {url: "https://x"}}');
      expect(Object.keys((await open({})).mcp_servers)).toEqual(['mine']);
    } finally {
      process.chdir(before);
    }
  },
);
