/** A program that CodeLab runs, and what to do about it where it is missing. */
export interface ProgramNeed {
  readonly name: string;
  /** `required`: nothing goes on without it. `wanted`: things go on. `unused`: not needed here, and never fetched. */
  readonly use: 'required' | 'wanted' | 'unused';
  readonly purpose: string;
  /** How a person gets it where we can't. */
  readonly remedy: string;
  /** The Debian package that brings it; without one it is never fetched. */
  readonly packageName?: string;
  /** The oldest major version that works. */
  readonly oldest?: number;
}

export const GIT: ProgramNeed = {
  name: 'git',
  use: 'required',
  purpose: 'diffs and patches are made with it',
  remedy: 'Debian, Ubuntu: apt-get install git · macOS: xcode-select --install',
  packageName: 'git',
};

export const RIPGREP: ProgramNeed = {
  name: 'rg',
  use: 'wanted',
  purpose: 'searches are faster with it',
  remedy: 'Debian, Ubuntu: apt-get install ripgrep · macOS: brew install ripgrep',
  packageName: 'ripgrep',
};

/** Brings a Jupyter kernel, for the tests that run cells; a person's own is looked for by the client. Its modules can't be unpacked beside a Python. */
export const JUPYTER: ProgramNeed = {
  name: 'jupyter-console',
  use: 'wanted',
  purpose: 'tests run cells in a real kernel, and are skipped without',
  remedy: 'Debian, Ubuntu: apt-get install jupyter-console · elsewhere: pip install jupyter-console',
  packageName: 'jupyter-console',
};

/** For the tests that open pages; whoever has another one (`CODELAB_CHROMIUM`, Chrome) needs none of it. */
export const CHROMIUM: ProgramNeed = {
  name: 'chromium',
  use: 'wanted',
  purpose: 'tests open pages in a real browser, and are skipped without',
  remedy: 'Debian, Ubuntu: apt-get install chromium · elsewhere: set CODELAB_CHROMIUM to a Chromium or Chrome',
  packageName: 'chromium',
};

/** The server of the private Redis. */
export const REDIS_SERVER: ProgramNeed = {
  name: 'redis-server',
  use: 'required',
  purpose: '`codelab up` starts it',
  remedy: 'Redis 7 or newer; Debian, Ubuntu: apt-get install redis-server · macOS: brew install redis · or set REDIS_URL',
  packageName: 'redis-server',
  oldest: 7,
};

const DOCKER: ProgramNeed = {
  name: 'docker',
  use: 'unused',
  purpose: 'only `docker compose up` needs it',
  remedy: 'https://docs.docker.com/engine/install',
};

/** Where sessions are kept: a Redis that we start, or one that somebody else did, and who. */
export type RedisPlace = { readonly kind: 'private' } | { readonly kind: 'elsewhere'; readonly because: string };

/** What `codelab chat` and `codelab exec` use on this machine. */
export function programsOfChat(redis: RedisPlace): readonly ProgramNeed[] {
  const server = redis.kind === 'private' ? REDIS_SERVER : { ...REDIS_SERVER, use: 'unused' as const, purpose: redis.because };
  return [GIT, server, RIPGREP, DOCKER];
}
