import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { verifies } from '@codelab/testkit';
import { IsBoolean, IsInt, IsOptional, Max, Min } from 'class-validator';
import { defaultDataDir } from '../data-dir.js';
import { ConfigError, readConfig } from './read-config.js';
import { renderConfigReference } from './render-config-reference.js';
import { REDIS_URL_EXPECTS, ServiceConfig } from './service-config.js';
import { Setting } from './setting.js';

class ExampleConfig extends ServiceConfig {
  @Setting({ env: 'EXAMPLE_PORT', meaning: 'Where it listens.', expects: 'a port from 0 to 65535' })
  @IsInt()
  @Min(0)
  @Max(65_535)
  port: number = 8000;

  @Setting({ env: 'EXAMPLE_ENABLED', meaning: 'Whether it works | or not.', expects: 'true or false' })
  @IsBoolean()
  enabled: boolean = true;

  @Setting({ env: 'EXAMPLE_NAMES', meaning: 'Who may.', expects: 'names, comma-separated' })
  names: string[] = [];

  @Setting({ env: 'EXAMPLE_KEY', meaning: 'A secret.', expects: 'a number', secret: true })
  @IsOptional()
  @IsInt()
  key?: number;
}

const problems = (environment: Record<string, string>): readonly string[] => {
  try {
    readConfig(ExampleConfig, environment);
    return [];
  } catch (error) {
    return error instanceof ConfigError ? error.problems : [String(error)];
  }
};

test(
  verifies('G2:secret-files', 'a secret may stand in a file, which the variable itself outdoes; other settings are not read from files'),
  () => {
    const file = join(mkdtempSync(join(tmpdir(), 'config-')), 'key');
    writeFileSync(file, '42\n');
    expect(readConfig(ExampleConfig, { EXAMPLE_KEY_FILE: file, EXAMPLE_PORT_FILE: file })).toMatchObject({ key: 42, port: 8000 });
    expect(readConfig(ExampleConfig, { EXAMPLE_KEY_FILE: file, EXAMPLE_KEY: '7' }).key).toBe(7);
    writeFileSync(file, 'not a number');
    expect(problems({ EXAMPLE_KEY_FILE: file })).toEqual(['EXAMPLE_KEY is not valid: set it to a number.']);
    expect(problems({ EXAMPLE_KEY_FILE: `${file}.not` })).toEqual([
      `EXAMPLE_KEY_FILE names ${file}.not, which can't be read (ENOENT): name a file that holds EXAMPLE_KEY.`,
    ]);
  },
);

test('a variable is read as the type of its property; unset and empty ones keep the default', () => {
  const config = readConfig(ExampleConfig, { EXAMPLE_PORT: ' 0 ', EXAMPLE_ENABLED: 'off', EXAMPLE_NAMES: 'a, b', LOG_LEVEL: '' });
  expect(config).toMatchObject({ port: 0, enabled: false, names: ['a', 'b'], logLevel: 'info', host: '127.0.0.1' });
});

test('each problem is one sentence: the variable, what is wrong, what to set', () => {
  expect(problems({ EXAMPLE_PORT: '70000', EXAMPLE_ENABLED: 'perhaps', REDIS_URL: 'http://redis' })).toEqual([
    `REDIS_URL is not valid: set it to ${REDIS_URL_EXPECTS}.`,
    'EXAMPLE_PORT is "70000": set it to a port from 0 to 65535.',
    'EXAMPLE_ENABLED is "perhaps": set it to true or false.',
  ]);
});

test.each(['banana', '80.5', '1e9', '0x', '-1'])('%s is no port', (text) => {
  expect(problems({ EXAMPLE_PORT: text })).toEqual([`EXAMPLE_PORT is "${text}": set it to a port from 0 to 65535.`]);
});

test('a secret is never repeated', () => {
  expect(problems({ EXAMPLE_KEY: 'sk-secret' })).toEqual(['EXAMPLE_KEY is not valid: set it to a number.']);
});

const SEVERAL = ['redis+cluster://a:1,b', 'rediss+cluster://u:p@a:1,b', 'rediss+sentinel://a:1,b/main?sentinelPassword=p'];

test.each(['redis://redis:6379', 'redis://:p%40ss@127.0.0.1:1/2', 'rediss://user:secret@cache.example.com:6380', ...SEVERAL])(
  '%s is a Redis',
  (url) => {
    expect(readConfig(ServiceConfig, { REDIS_URL: url }).redisUrl).toBe(url);
  },
);

test('the data directory is CODELAB_DATA_DIR, else it lies under XDG_STATE_HOME', () => {
  expect(readConfig(ServiceConfig, { XDG_STATE_HOME: '/state' }).dataDir).toBe('/state/codelab');
  expect(readConfig(ServiceConfig, { XDG_STATE_HOME: '/state', CODELAB_DATA_DIR: '/data' }).dataDir).toBe('/data');
  for (const relative of ['', '.', 'state']) expect(readConfig(ServiceConfig, { XDG_STATE_HOME: relative }).dataDir).toBe(defaultDataDir());
});

test('the reference names every variable once, with its default, its unit and the programs that read it', () => {
  const page = renderConfigReference([
    { program: 'gateway', configClass: ServiceConfig },
    { program: 'example', configClass: ExampleConfig },
  ]);
  const lines = page.split('\n').filter((line) => line.startsWith('| `'));
  expect(lines).toContain(
    '| `DRAIN_TIMEOUT_MS` | `8000` | ms | How long a service that is told to stop finishes what it has begun. Expects a whole number of milliseconds from 0 to 600000. | gateway, example |',
  );
  expect(lines).toContain('| `EXAMPLE_ENABLED` | `true` |  | Whether it works \\| or not. Expects true or false. | example |');
  expect(new Set(lines.map((line) => line.split('|')[1])).size).toBe(lines.length);
});
