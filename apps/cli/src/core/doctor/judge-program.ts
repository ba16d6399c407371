import type { Finding } from './finding.js';

/** A program that CodeLab uses, and what happens without it. */
export interface ProgramNeed {
  readonly name: string;
  readonly required: boolean;
  readonly purpose: string;
  readonly remedy: string;
  /** The oldest major version that works. */
  readonly oldest?: number;
}

export const PROGRAMS: readonly ProgramNeed[] = [
  {
    name: 'git',
    required: true,
    purpose: 'diffs and patches are made with it',
    remedy: 'Debian, Ubuntu: apt-get install git · macOS: xcode-select --install',
  },
  {
    name: 'rg',
    required: false,
    purpose: 'searches are faster with it',
    remedy: 'Debian, Ubuntu: apt-get install ripgrep · macOS: brew install ripgrep',
  },
  {
    name: 'docker',
    required: false,
    purpose: 'only `docker compose up` needs it',
    remedy: 'https://docs.docker.com/engine/install',
  },
];

/** The server of the private Redis: needed unless `REDIS_URL` names another. */
export function redisServerNeed(redisUrlIsSet: boolean): ProgramNeed {
  return {
    name: 'redis-server',
    required: !redisUrlIsSet,
    purpose: redisUrlIsSet ? 'REDIS_URL names another Redis' : '`codelab up` starts it',
    oldest: 7,
    remedy: 'Redis 7 or newer; Debian, Ubuntu: apt-get install redis-server · macOS: brew install redis · or set REDIS_URL',
  };
}

/** `said` is what the program says about its version, undefined when it isn't there. */
export function judgeProgram({ name, required, purpose, remedy, oldest = 0 }: ProgramNeed, said: string | undefined): Finding {
  const state = required ? 'wrong' : 'note';
  if (said === undefined) return { state, subject: name, found: `not installed; ${purpose}`, remedy };
  const version = /\d+(\.\d+)+/.exec(said)?.[0] ?? said;
  if (Number.parseInt(version, 10) < oldest) return { state, subject: name, found: `${version} is too old; ${purpose}`, remedy };
  return { state: 'right', subject: name, found: version };
}
