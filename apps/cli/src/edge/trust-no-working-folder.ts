import { delimiter, isAbsolute } from 'node:path';

/**
 * Takes away what would let a file of the folder that we are started in be run as a program: relative entries of `PATH`, and the working
 * folder, where Windows looks first. For this process and all that it starts.
 */
export function trustNoWorkingFolder(): void {
  // eslint-disable-next-line no-restricted-properties -- handed on to children, not read as configuration
  const { env } = process;
  const entries = (env['PATH'] ?? '').split(delimiter);
  env['PATH'] = entries.filter((entry) => isAbsolute(entry)).join(delimiter);
  env['NoDefaultCurrentDirectoryInExePath'] = '1';
}
