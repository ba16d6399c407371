import { delimiter, join, isAbsolute } from 'node:path';

/**
 * Takes away what would let a file of the folder that we are started in be run as a program: relative entries of `PATH`, and the working
 * folder, where Windows looks first. For this process and all that it starts.
 */
export function trustNoWorkingFolder(): void {
  // oxlint-disable-next-line no-restricted-properties -- handed on to children, not read as configuration
  const { env } = process;
  const entries = (env['PATH'] ?? '').split(delimiter);
  env['PATH'] = entries.filter((entry) => isAbsolute(entry)).join(delimiter);
  env['NoDefaultCurrentDirectoryInExePath'] = '1';
}

/** Where programs that were fetched without root are: a folder for each. */
export const programsDirectory = (dataDir: string): string => join(dataDir, 'programs');

/** The folder of a program's own that is put on the `PATH`. */
export const WRAPPER_DIRECTORY = 'wrapper';

const FETCHED = ['git', 'redis-server', 'rg'];

/** Lets this process, and all that it starts, find programs that were unpacked into the data directory, after those of the system. */
export function useUnpackedPrograms(dataDir: string): void {
  // oxlint-disable-next-line no-restricted-properties -- handed on to children, not read as configuration
  const { env } = process;
  const own = FETCHED.map((name) => join(programsDirectory(dataDir), name, WRAPPER_DIRECTORY));
  const others = (env['PATH'] ?? '').split(delimiter).filter((entry) => entry !== '' && !own.includes(entry));
  env['PATH'] = [...others, ...own].join(delimiter);
}
