import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { readConfig } from '@codelab/service-shell';
import { hasOnlyOffline, missingSettings } from '../../core/stack/provider-settings.js';
import { CliConfig } from '../config.js';
import { readProviderSettings } from './read-provider-settings.js';

test('a stack that was started with another tools file, or other values of its variables, is told from ours', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'codelab-settings-'));
  const toolsFile = join(folder, 'tools.yaml');
  const { OPENAI_API_KEY: _k, OPENAI_BASE_URL: _b, ANTHROPIC_API_KEY: _a, ANTHROPIC_BASE_URL: _u, ...env } = process.env;
  const before = process.env;
  process.env = { ...env, TEST_TOOLS_TOKEN: 'one' };
  try {
    const settingsOf = (file?: string) => {
      const named: Record<string, string> = file === undefined ? {} : { CODELAB_TOOLS_FILE: file };
      return readProviderSettings(readConfig(CliConfig, { CODELAB_DATA_DIR: folder, XDG_CONFIG_HOME: folder, ...named }), 'secret');
    };
    await writeFile(toolsFile, 'mcp_servers: {docs: {url: "https://x", token_env: TEST_TOOLS_TOKEN}}');
    const [none, ours] = [settingsOf(), settingsOf(toolsFile)];
    expect(missingSettings(ours, none)).toEqual(['the tools file']);
    expect(missingSettings(none, ours)).toEqual([]);
    expect([hasOnlyOffline(none), hasOnlyOffline(ours), hasOnlyOffline({ OPENAI_API_KEY: 'd' })]).toEqual([true, true, false]);
    process.env['TEST_TOOLS_TOKEN'] = 'two';
    expect(missingSettings(settingsOf(toolsFile), ours)).toEqual(['the tools file']);
    expect(JSON.stringify(ours)).not.toContain('https');
  } finally {
    process.env = before;
    await rm(folder, { recursive: true });
  }
});
