import { CommanderError } from 'commander';
import { CommandError } from '../core/command-error.js';
import { buildProgram } from './build-program.js';
import { trustNoWorkingFolder, useUnpackedPrograms } from './programs/program-path.js';
import { version } from './version.js';

/** What a shell gets for a command line that isn't understood. */
const USAGE = 2;

trustNoWorkingFolder();

/** Settles when the command is done; never rejects. */
export const ended = buildProgram(version)
  .hook('preAction', findFetchedPrograms)
  .parseAsync()
  .then(
    () => undefined,
    (error: unknown) => void (process.exitCode = report(error)),
  );

async function findFetchedPrograms(): Promise<void> {
  useUnpackedPrograms((await import('./config.js')).dataDirectory());
}

function report(error: unknown): number {
  if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : USAGE; // commander has printed it
  const known = error instanceof CommandError || (error instanceof Error && error.name === 'ConfigError');
  process.stderr.write(`${known ? error.message : error instanceof Error ? error.stack : String(error)}\n`);
  return error instanceof CommandError ? error.exitCode : 1;
}
