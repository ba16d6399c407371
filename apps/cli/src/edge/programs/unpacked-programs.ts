import { delimiter, join } from 'node:path';

/** Where programs that were fetched without root are: a folder for each. */
export const programsDirectory = (dataDir: string): string => join(dataDir, 'programs');

/** The folder of a program's own that is put on the `PATH`. */
export const WRAPPER_DIRECTORY = 'wrapper';

const FETCHED = ['git', 'redis-server', 'rg'];

/** Lets this process, and all that it starts, find programs that were unpacked into the data directory, after those of the system. */
export function useUnpackedPrograms(dataDir: string): void {
  // eslint-disable-next-line no-restricted-properties -- handed on to children, not read as configuration
  const { env } = process;
  const own = FETCHED.map((name) => join(programsDirectory(dataDir), name, WRAPPER_DIRECTORY));
  const others = (env['PATH'] ?? '').split(delimiter).filter((entry) => entry !== '' && !own.includes(entry));
  env['PATH'] = [...others, ...own].join(delimiter);
}
