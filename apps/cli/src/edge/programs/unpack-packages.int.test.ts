import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { verifies } from '@codelab/testkit';
import { RIPGREP } from '../../core/programs/program-need.js';
import { findProgram, versionOf } from './plan-programs.js';
import { unpackPackages } from './unpack-packages.js';
import { useUnpackedPrograms } from './program-path.js';

const folder = mkdtempSync(join(tmpdir(), 'unpack-'));
const path = process.env['PATH'] ?? '';

/** Stands for the network alone: packages lie in a folder. dpkg, the shell and the programs are real. */
const APT_GET = `#!/bin/sh
while [ $# -gt 0 ]; do
  case $1 in -c) conf=$2; shift ;; update) exit 0 ;; esac
  last=$1; shift
done
archives=$(sed -n 's|^Dir::Cache "\\(.*\\)";|\\1|p' "$conf")/archives
cp "${folder}/debs/$last.deb" "$archives" 2>/dev/null || { echo "E: Unable to locate package $last" >&2; exit 100; }
`;

function makePackage(name: string, program: string): void {
  const root = join(folder, name);
  mkdirSync(join(root, 'DEBIAN'), { recursive: true });
  mkdirSync(join(root, 'usr/bin'), { recursive: true });
  mkdirSync(join(root, 'usr/lib/here'), { recursive: true });
  writeFileSync(join(root, 'DEBIAN/control'), `Package: ${name}\nVersion: 1\nArchitecture: all\nMaintainer: a <a@b>\nDescription: a\n`);
  writeFileSync(join(root, 'usr/lib/here/liba.so.1'), '');
  writeFileSync(join(root, 'usr/bin/rg'), program, { mode: 0o755 });
  execFileSync('dpkg-deb', ['--build', root, join(folder, 'debs', `${name}.deb`)], { stdio: 'ignore' });
}

/** Where there is no dpkg, nothing is unpacked. */
const withDpkg = existsSync('/usr/bin/dpkg-deb') ? test : test.skip;

beforeAll(() => {
  if (withDpkg === test.skip) return;
  mkdirSync(join(folder, 'debs'));
  mkdirSync(join(folder, 'bin'));
  writeFileSync(join(folder, 'bin/apt-get'), APT_GET, { mode: 0o755 });
  makePackage('ripgrep', '#!/bin/sh\necho "ripgrep 13.0.0, libraries in $LD_LIBRARY_PATH"\n');
  makePackage('broken', '#!/bin/sh\nexit 127\n');
  process.env['PATH'] = `${join(folder, 'bin')}${delimiter}${path}`;
});

afterAll(() => {
  process.env['PATH'] = path;
  rmSync(folder, { recursive: true });
});

withDpkg(verifies('G2:programs', 'what a package brings is unpacked, tried, and found after the programs of the system'), async () => {
  const dataDir = join(folder, 'data');
  await unpackPackages(join(dataDir, 'programs'), (fetch) => fetch('rg', 'ripgrep'));
  const wrapper = join(dataDir, 'programs/rg/wrapper/rg');
  expect(await versionOf(wrapper)).toBe('13.0.0');
  expect(execFileSync(wrapper, { encoding: 'utf8' })).toContain(`libraries in ${join(dataDir, 'programs/rg/usr/lib/here')}`);
  process.env['PATH'] = '/nowhere';
  useUnpackedPrograms(dataDir);
  useUnpackedPrograms(dataDir);
  expect(await findProgram(RIPGREP)).toEqual({ path: wrapper, version: '13.0.0' });
  expect(process.env['PATH'].split(delimiter).filter((entry) => entry.includes('rg'))).toHaveLength(1);
  process.env['PATH'] = `${join(folder, 'bin')}${delimiter}${path}`;
});

withDpkg('what does not start, and what there is no package of, leaves nothing behind', async () => {
  const programs = join(folder, 'others/programs');
  const said: string[] = [];
  await unpackPackages(programs, async (fetch) => {
    for (const name of ['broken', 'unheard-of']) await fetch('rg', name).catch((error: Error) => said.push(error.message));
  });
  expect(said).toEqual(['what was unpacked does not start', 'Unable to locate package unheard-of']);
  expect(existsSync(join(programs, 'rg'))).toBe(false);
  expect(readdirSync(programs)).toEqual([]);
});
