import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { CommandError } from '../core/command-error.js';

const run = promisify(execFile);
const INSTALL_MS = 300_000;

export interface WantedProgram {
  readonly program: string;
  /** The package that brings it, on Debian and in Homebrew. */
  readonly packageName: string;
  readonly brewName: string;
}

/**
 * Makes sure that the programs can be started. Where some are missing and we may (root, with apt), they are installed, and `say` hears so
 * first. Throws a sentence that names those that are still missing; `otherwise` is added to it.
 */
export async function installPrograms(wanted: readonly WantedProgram[], say: (text: string) => void, otherwise = ''): Promise<void> {
  const missing = await missingOf(wanted);
  if (missing.length === 0) return;
  const names = missing.map(({ packageName }) => packageName).join(' ');
  const programs = missing.map(({ program }) => program).join(', ');
  const ways = `apt-get install ${names} (Debian, Ubuntu), brew install ${missing.map(({ brewName }) => brewName).join(' ')} (macOS)`;
  const sentence = `${programs} ${missing.length === 1 ? 'is' : 'are'} not installed: ${ways}${otherwise}.`;
  const mayInstall = process.getuid?.() === 0 && (await missingOf([{ program: 'apt-get', packageName: 'apt', brewName: '' }])).length === 0;
  if (!mayInstall) throw new CommandError(sentence);
  say(`installing ${names} with apt-get …`);
  try {
    await run(
      'sh',
      ['-c', `apt-get update -qq && DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends ${names}`],
      {
        timeout: INSTALL_MS,
      },
    );
  } catch (cause) {
    throw new CommandError(sentence, 1, { cause });
  }
  if ((await missingOf(missing)).length > 0) throw new CommandError(sentence);
}

async function missingOf(wanted: readonly WantedProgram[]): Promise<readonly WantedProgram[]> {
  const present = await Promise.all(
    wanted.map(({ program }) =>
      run(program, ['--version'], { timeout: 10_000 }).then(
        () => true,
        (error: NodeJS.ErrnoException) => error.code !== 'ENOENT' && error.code !== 'EACCES', // there, though it dislikes the question
      ),
    ),
  );
  return wanted.filter((_, index) => !present[index]);
}
