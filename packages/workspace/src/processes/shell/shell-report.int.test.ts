import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { verifies } from '@codelab/testkit';
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, readdirSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { temporaryWorkspace, type TemporaryWorkspace } from '../../../test/temporary-workspace.js';
import { handTo } from './choose-shell.js';
import { insideOf, ShellReports } from './shell-report.js';

let temporary: TemporaryWorkspace;
let reports: ShellReports;
let folder: string;
beforeEach(async () => {
  temporary = await temporaryWorkspace();
  mkdirSync(join(temporary.root, 'a/b c'), { recursive: true });
  symlinkSync('a/b c', join(temporary.root, 'link'));
  symlinkSync(temporary.outside, join(temporary.root, 'out'));
  folder = join(temporary.dataDir, "it's here");
  reports = new ShellReports(temporary.root, folder);
});
afterEach(() => temporary.remove());

/** Runs a command with the report, and without: nothing that it shows may differ. */
const end = async (program: string, command: string): Promise<string | undefined> => {
  const environment = { PATH: process.env['PATH'] };
  const plain = handTo({ program, posix: true }, command);
  const report = await reports.begin({ shell: plain, environment });
  expect(report.shell.args.at(-1)!.endsWith(command)).toBe(true);
  const outcome = ({ args, env }: { args: readonly string[]; env: object }) => {
    const { status, stdout, stderr, signal } = spawnSync(program, [...args], {
      ...{ cwd: temporary.root, env: env as NodeJS.ProcessEnv, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] },
    });
    return { status, stdout, stderr: stderr.replace(/line \d+|\S+sh: \d+/g, 'line'), signal };
  };
  const reported = outcome({ args: report.shell.args, env: report.environment });
  expect(reported).toEqual(outcome({ args: plain.args, env: environment }));
  return report.read('start');
};

const hasDash = execFileSync('sh', ['-c', 'command -v dash || true'], { encoding: 'utf8' }).trim();
const SHELLS = ['/bin/bash', ...(hasDash === '' ? [] : [hasDash])];

describe.each(SHELLS)('%s', (program) => {
  test.each([
    ['true', '.'],
    ['cd a; exit 3', 'a'],
    ['cd "a/b c" && false', 'a/b c'],
    ['cd link', 'a/b c'],
    ['set -e; cd a; false; cd /', 'a'],
    ['set -eu; cd a; echo $nothing', 'a'],
    ['set -x; cd a', 'a'],
    ['set -C; cd a', 'a'],
    ['cd a; exec 1>&- 2>&- 3>&-', 'a'],
    ['pwd() { echo wrong; }; cd a', 'a'],
    ['(cd a; exit 4); x=$(cd a; pwd)', '.'],
    ['cd a; sh -c "cd /"; bash -c "cd /; echo [$BASH_ENV]"', 'a'],
    ['cd a; echo "$0 $# $*"', 'a'],
    ['cd a\nif then', 'a'],
    ['cd /', undefined],
    ['cd ..', undefined],
    ['cd out', undefined],
    ['cd a; exec ls', 'start'],
    ['cd a; trap "echo bye" EXIT', 'start'],
    ['cd a; kill -9 $$', 'start'],
    ['mkdir -p gone; cd gone; rmdir ../gone', 'start'],
  ])(verifies('L3:x5', 'after %j the shell was in %p, and nothing of the command is different'), async (command, directory) => {
    expect(await end(program, command)).toBe(directory);
    expect(readdirSync(folder)).toEqual([]);
  });
});

test('names with any character come as they are, unless no path of a tool has them', async () => {
  for (const name of ['ünï', "it's", '$HOME', 'new\nline']) {
    mkdirSync(join(temporary.root, name));
    expect(await end('/bin/bash', `cd '${name.replaceAll("'", "'\\''")}'`)).toBe(name);
  }
  mkdirSync(join(temporary.root, 'back\\slash'));
  expect(await end('/bin/bash', "cd 'back\\slash'")).toBeUndefined();
  expect(insideOf('/w', '/w2')).toBeUndefined();
  expect(insideOf('/w', 'a')).toBeUndefined();
});

test('where no file can be written the command runs all the same; what crashes left goes after a day', async () => {
  writeFileSync(join(temporary.dataDir, 'file'), '');
  const blocked = new ShellReports(temporary.root, join(temporary.dataDir, 'file'));
  const shell = handTo({ program: '/bin/bash', posix: true }, 'true');
  const report = await blocked.begin({ shell, environment: {} });
  expect(report).toMatchObject({ shell, environment: {} });
  expect(await report.read('start')).toBe('start');
  for (const [name, ageMs] of [
    ['left', 86_500_000],
    ['young', 1_000],
  ] as const) {
    mkdirSync(join(folder, name), { recursive: true });
    utimesSync(join(folder, name), 0, (Date.now() - ageMs) / 1_000);
  }
  await reports.prune();
  expect(readdirSync(folder)).toEqual(['young']);
});
