import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { childEnvironment } from '../config.js';

/** Lets `use` install packages for the whole machine: for root. */
export async function installPackages(use: (fetch: FetchProgram) => Promise<void>): Promise<void> {
  // One source that doesn't answer fails all of it, though the others may have what we need: the installation tells.
  const stale = await runApt(['update']).catch((error: Error) => error);
  await use(async (_, packageName) => {
    await runApt(['install', '-y', '--no-install-recommends', packageName]).catch((error: Error) => {
      throw stale ?? error;
    });
  });
}

const run = promisify(execFile);
const APT_MS = 300_000;
/** A mirror that says nothing for so long is not waited for. */
const SILENCE_S = 20;

/** Gets one program with the package that brings it. Rejects with an `Error` that says why it couldn't. */
export type FetchProgram = (program: string, packageName: string) => Promise<void>;

/** Runs apt-get. Rejects with its last complaint. */
export async function runApt(words: readonly string[]): Promise<void> {
  const patience = ['http', 'https'].flatMap((protocol) => ['-o', `Acquire::${protocol}::Timeout=${SILENCE_S}`]);
  const env = childEnvironment({ DEBIAN_FRONTEND: 'noninteractive', LC_ALL: 'C' });
  await run('apt-get', ['-qq', '-o', 'Acquire::Retries=1', ...patience, ...words], { timeout: APT_MS, env, maxBuffer: 64 << 20 }).catch(
    (cause: Error & { stderr?: string; killed?: boolean }) => {
      const complaint = /^E: (.*)$/m.exec(cause.stderr ?? '')?.[1] ?? (cause.killed ? 'it took too long' : cause.message.split('\n')[0]);
      throw new Error(complaint, { cause });
    },
  );
}
