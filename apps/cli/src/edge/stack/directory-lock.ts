import { processBirth } from '@codelab/client';
import { randomBytes } from 'node:crypto';
import { link, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { CommandError } from '../../core/command-error.js';

/** Exit code of `up` when another stack holds the data directory. */
export const ALREADY_RUNNING = 75;

const NAME = /^up\.lock\.(\d+)$/;

interface Holder {
  readonly pid: number;
  /** When that process began, where the system tells: a pid alone may have been given to another process. */
  readonly birth: string;
}

/**
 * At most one stack per data directory. The file `up.lock.<n>` with the highest number names the holder; when that process is gone, or has
 * given the lock back, whoever makes the file with the next number has it. The highest is never deleted, so a number is never won twice.
 * Throws a sentence that names the holder; returns the way to give the lock back.
 */
export async function lockDirectory(dataDir: string): Promise<() => Promise<void>> {
  const pathOf = (number: number) => join(dataDir, `up.lock.${number}`);
  const draft = join(dataDir, `up.lock.draft.${process.pid}.${randomBytes(4).toString('hex')}`);
  await writeFile(draft, JSON.stringify({ pid: process.pid, birth: (await processBirth(process.pid)) ?? '' } satisfies Holder), {
    mode: 0o600,
  });
  try {
    for (;;) {
      const highest = Math.max(0, ...(await numbersIn(dataDir)));
      const holder = await holderOf(pathOf(highest));
      if (holder) throw new CommandError(refusal(dataDir, holder.pid), ALREADY_RUNNING);
      const number = highest + 1;
      if (!(await claim(draft, pathOf(number)))) continue;
      const others = (await numbersIn(dataDir)).filter((other) => other !== number);
      if (others.every((other) => other < number)) {
        await Promise.all(others.map((other) => rm(pathOf(other), { force: true })));
        return () => writeFile(pathOf(number), 'free\n');
      }
      await rm(pathOf(number), { force: true }); // it was free only because its successor had tidied up
    }
  } finally {
    await rm(draft, { force: true });
  }
}

const refusal = (dataDir: string, pid: number) =>
  `A stack runs on ${dataDir} already (process ${pid}): stop it, or set CODELAB_DATA_DIR to another folder.`;

async function numbersIn(dataDir: string): Promise<readonly number[]> {
  return (await readdir(dataDir)).flatMap((name) => NAME.exec(name)?.[1] ?? []).map(Number);
}

/** A hard link is made whole or not at all, and never over another. */
async function claim(draft: string, path: string): Promise<boolean> {
  try {
    await link(draft, path);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  }
}

/** Who holds this lock; undefined when nobody does any more. */
async function holderOf(path: string): Promise<Holder | undefined> {
  const text = await readFile(path, 'utf8').catch(() => ''); // there is none, or its successor has tidied up
  const holder = parseHolder(text);
  return holder && (await processBirth(holder.pid)) === holder.birth ? holder : undefined;
}

function parseHolder(text: string): Holder | undefined {
  try {
    const value = JSON.parse(text) as Partial<Holder> | null;
    return typeof value?.pid === 'number' && typeof value.birth === 'string' ? { pid: value.pid, birth: value.birth } : undefined;
  } catch {
    return undefined; // given back
  }
}
