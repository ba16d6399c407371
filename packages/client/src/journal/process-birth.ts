import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** Fields 3 and 22 of /proc/<pid>/stat; nothing where there is no /proc or no such process. */
const readStat = async (pid: number): Promise<{ readonly state: string; readonly birth: string } | undefined> => {
  const text = await readFile(`/proc/${String(pid)}/stat`, 'utf8').catch(() => undefined); // no such process, or no /proc
  if (text === undefined) return undefined;
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' '); // the program's name may hold anything, parentheses too
  return { state: fields[0] ?? '', birth: fields[19] ?? '' };
};

/** When a process began, in the system's own words: with the pid it names a process for good. `undefined`: there is no such process. */
export async function processBirth(pid: number): Promise<string | undefined> {
  try {
    process.kill(pid, 0);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EPERM') return undefined;
  }
  const stat = await readStat(pid);
  if (stat !== undefined) return stat.state === 'Z' || stat.state === 'X' ? undefined : stat.birth;
  return run('ps', ['-p', String(pid), '-o', 'lstart=']).then(
    ({ stdout }) => stdout.trim(),
    () => '', // no /proc and no ps: the pid alone has to do
  );
}
