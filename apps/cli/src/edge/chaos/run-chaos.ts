import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import type { ChaosIo, ChaosOptions } from '@codelab/chaos';
import { childEnvironment } from '../config.js';
import { CommandError } from '../../core/command-error.js';

const USAGE = 2;

/** Runs the suite, or its proof, prints a line for each seed, and returns the exit code. Throws `CommandError` where it can't run. */
export async function runChaos(
  options: ChaosOptions & { readonly mutants?: string | true },
  io: Omit<ChaosIo, 'command' | 'env'>,
): Promise<number> {
  const { seed, seeds, minutes, faults, other, mutants } = options;
  if (faults !== undefined && (seed === undefined || seeds !== undefined || minutes !== undefined))
    throw new CommandError('--faults names faults of one schedule: name that with --seed alone.', USAGE);
  if (other !== undefined && !existsSync(resolve(other, 'apps/agent-runtime/dist/main.js')))
    throw new CommandError(`--other: ${other} is no built clone (apps/agent-runtime/dist/main.js is not there).`, USAGE);
  const chaos = await import('@codelab/chaos').catch((cause: unknown) => {
    throw new CommandError('The chaos suite is not in this installation: run it in a clone of the repository.', 1, { cause });
  });
  const { PATH, HOME, TMPDIR, LANG } = childEnvironment();
  const command = ['codelab', ...process.argv.slice(2)].join(' ');
  const all = { ...io, command, env: { PATH, HOME, TMPDIR, LANG } };
  if (mutants !== undefined) {
    const { lanes, report } = options;
    return chaos.proveSuite({ which: mutants, seeds, firstSeed: seed, minutes, lanes, report }, all);
  }
  return chaos.runChaos({ ...options, other: other === undefined ? undefined : resolve(other) }, all);
}
