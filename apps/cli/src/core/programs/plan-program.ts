import type { ProgramNeed } from './program-need.js';

/** What is on the `PATH`: the first that is new enough, else the first. `version` is '' where it doesn't tell. */
export interface FoundProgram {
  readonly path: string;
  readonly version: string;
}

/** How packages get onto this machine: by root, by unpacking them for one user, or not by us. */
export type PackageWay = 'install' | 'unpack' | 'none';

/** What is known about one program on one machine. */
export interface ProgramFacts {
  readonly found: FoundProgram | undefined;
  readonly way: PackageWay;
  /** The version that apt would bring, as far as its lists say. */
  readonly offered: string | undefined;
}

/** What becomes of a need: nothing to do, fetched by us, or up to the person; `lack` says what is wrong now. */
export type ProgramPlan =
  | { readonly kind: 'present'; readonly path: string; readonly version: string }
  | { readonly kind: 'fetch'; readonly way: 'install' | 'unpack'; readonly packageName: string; readonly lack: string }
  | { readonly kind: 'lacking'; readonly lack: string };

/** Decides what is done about a program. `codelab doctor` shows it, `codelab chat` does it. */
export function planProgram(need: ProgramNeed, { found, way, offered }: ProgramFacts): ProgramPlan {
  if (found && isNewEnough(need, found.version)) return { kind: 'present', ...found };
  const lack = found ? `${found.version} is too old` : 'not installed';
  if (need.use === 'unused' || need.packageName === undefined || way === 'none') return { kind: 'lacking', lack };
  if (offered !== undefined && !isNewEnough(need, offered))
    return { kind: 'lacking', lack: `${lack}, and apt-get has ${offered} only, which is too old` };
  return { kind: 'fetch', way, packageName: need.packageName, lack };
}

/** A program that doesn't tell its version is taken as it is. */
export function isNewEnough({ oldest = 0 }: ProgramNeed, version: string): boolean {
  const major = Number.parseInt(version, 10);
  return Number.isNaN(major) || major >= oldest;
}

/** The version in what a program says to `--version`; '' if there is none in it. */
export function versionIn(said: string): string {
  return /\d+(\.\d+)+/.exec(said)?.[0] ?? '';
}
