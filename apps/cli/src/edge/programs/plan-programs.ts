import { execFile } from 'node:child_process';
import { constants } from 'node:fs';
import { access } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import { promisify } from 'node:util';
import {
  isNewEnough,
  planProgram,
  versionIn,
  type FoundProgram,
  type PackageWay,
  type ProgramPlan,
} from '../../core/programs/plan-program.js';
import { programsOfChat, type ProgramNeed, type RedisPlace } from '../../core/programs/program-need.js';
import { childEnvironment, type CliConfig } from '../config.js';
import { findLocalStack } from '@codelab/client/local-stack';

const run = promisify(execFile);
const LOOK_MS = 10_000;

export interface PlannedProgram {
  readonly need: ProgramNeed;
  readonly plan: ProgramPlan;
}

/** What `codelab chat` uses: with `url`, the services are somebody else's. */
export async function needsOfChat({ redisUrl, dataDir }: CliConfig, url?: string): Promise<readonly ProgramNeed[]> {
  return programsOfChat(await redisPlace());

  async function redisPlace(): Promise<RedisPlace> {
    if (url !== undefined) return { kind: 'elsewhere', because: 'the services run elsewhere' };
    if (redisUrl !== undefined) return { kind: 'elsewhere', because: 'REDIS_URL names another Redis' };
    const running = await findLocalStack(dataDir);
    return running ? { kind: 'elsewhere', because: 'the services run already' } : { kind: 'private' };
  }
}

/** Looks at this machine and decides about each program; changes nothing. */
export async function planPrograms(needs: readonly ProgramNeed[]): Promise<readonly PlannedProgram[]> {
  let looked: Promise<PackageWay> | undefined; // only for what is missing
  return Promise.all(
    needs.map(async (need) => {
      const found = await findProgram(need);
      if (found !== undefined && isNewEnough(need, found.version))
        return { need, plan: planProgram(need, { found, way: 'none', offered: undefined }) };
      const way = await (looked ??= packageWay());
      const offered = way === 'none' ? undefined : await offeredVersion(need.packageName);
      return { need, plan: planProgram(need, { found, way, offered }) };
    }),
  );
}

/** The first program of this name on the `PATH` that is new enough, else the first that starts at all. */
export async function findProgram(need: ProgramNeed): Promise<FoundProgram | undefined> {
  let first: FoundProgram | undefined;
  for (const directory of (childEnvironment()['PATH'] ?? '').split(delimiter).filter((entry) => entry !== '')) {
    const path = join(directory, process.platform === 'win32' ? `${need.name}.exe` : need.name);
    const version = await versionOf(path);
    if (version === undefined) continue;
    if (isNewEnough(need, version)) return { path, version };
    first ??= { path, version };
  }
  return first;
}

/** What a program says about its version, '' where it dislikes the question; undefined where there is none that starts. */
export async function versionOf(path: string): Promise<string | undefined> {
  const mayRun = await access(path, constants.X_OK).then(
    () => true,
    () => false, // not there: the usual case
  );
  if (!mayRun) return undefined;
  return run(path, ['--version'], { timeout: LOOK_MS }).then(
    ({ stdout }) => versionIn(stdout),
    () => undefined, // a library of it is missing, or it is for another machine
  );
}

async function packageWay(): Promise<PackageWay> {
  if (process.platform !== 'linux') return 'none';
  const apt = await findProgram({ name: 'apt-get', use: 'unused', purpose: '', remedy: '' });
  const dpkg = await findProgram({ name: 'dpkg', use: 'unused', purpose: '', remedy: '' });
  if (!apt || !dpkg) return 'none';
  return process.getuid?.() === 0 ? 'install' : 'unpack';
}

/** The version that apt's lists name, without its epoch: `7.0.15-1`; undefined where the lists are empty. */
async function offeredVersion(packageName: string | undefined): Promise<string | undefined> {
  if (packageName === undefined) return undefined;
  const { stdout } = await run('apt-cache', ['policy', packageName], {
    timeout: LOOK_MS,
    env: childEnvironment({ LC_ALL: 'C' }),
  }).catch(() => ({ stdout: '' })); // apt says more when it is asked for the package
  return /^ {2}Candidate: (?:\d+:)?(\d\S*)$/m.exec(stdout)?.[1];
}
