import { findSecretReason } from '@codelab/tools';
import { verifies } from '@codelab/testkit';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { spawnSync } from 'node:child_process';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { RIPGREP_SETTINGS } from './ripgrep-settings.js';

const SECRETS = (
  '.env .env.ts .env.local .ENV id_rsa id_ed25519.bak a.pem b.KEY c.p12 .npmrc .netrc _netrc .git-credentials credentials.json secrets.yml serviceaccount-x.json kubeconfig x.tfvars x.tfstate.backup token my.token my_apikey ' +
  'prod.env app.env.local .bash_history .zsh_history .python_history .node_repl_history .psql_history fish_history .docker/config.json ' +
  '.config/gh/hosts.yml gh/hosts.yml .cargo/credentials.toml .m2/settings.xml secrets/db.json deploy/secrets/password'
).split(' ');
const OTHERS = ['a.ts', 'token.ts', 'secrets.ts', 'keys.md', '.docker/Dockerfile', 'history.md'];

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'codelab-rg-'));
  for (const name of [...SECRETS, ...OTHERS]) {
    await mkdir(dirname(join(folder, name)), { recursive: true });
    await writeFile(join(folder, name), 'needle\n');
  }
  await writeFile(join(folder, '.ignore'), '!.*\n!*\n'); // a hostile workspace brings hidden files back
});
afterAll(() => rm(folder, { recursive: true, force: true }));

test(
  verifies(
    'H1:command-ripgrep',
    'ripgrep without an approval leaves out files with secrets, whatever the ignore files of the workspace say',
  ),
  () => {
    expect(SECRETS.filter((name) => findSecretReason(name) === undefined)).toEqual([]);
    const found = (...options: string[]): readonly string[] => {
      const { stdout, error } = spawnSync('rg', ['-l', ...options, 'needle', '.'], {
        cwd: folder,
        encoding: 'utf8',
        env: { PATH: process.env['PATH'], RIPGREP_CONFIG_PATH: RIPGREP_SETTINGS },
      });
      expect(error).toBeUndefined();
      return stdout.trim().replaceAll('./', '').split('\n').sort();
    };
    expect(found()).toEqual([...OTHERS].sort());
    expect(found('-g', '*.ts')).toEqual(['a.ts', 'secrets.ts', 'token.ts']);
  },
);
