import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** Whether a process with this id runs, whoever owns it. A zombie doesn't. */
export async function isAlive(pid: number): Promise<boolean> {
  try {
    process.kill(pid, 0);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EPERM') return false;
  }
  return (await statOf(pid))?.state !== 'Z';
}

/** When the process began, as the system writes it; '' where it can't be told. With the pid it names a process for good. */
export async function processBirth(pid: number): Promise<string> {
  const stat = await statOf(pid);
  if (stat) return stat.birth;
  return run('ps', ['-p', String(pid), '-o', 'lstart=']).then(
    ({ stdout }) => stdout.trim(),
    () => '', // no such process, or no ps
  );
}

/** The program that the process runs: `redis-server`; '' where it can't be told. */
export async function processProgram(pid: number): Promise<string> {
  return run('ps', ['-p', String(pid), '-o', 'comm=']).then(
    ({ stdout }) => stdout.trim().split('/').at(-1) ?? '',
    async () => (await statOf(pid))?.program ?? '',
  );
}

/** Linux only: fields 2, 3 and 22 of /proc/<pid>/stat. */
async function statOf(pid: number): Promise<{ readonly program: string; readonly state: string; readonly birth: string } | undefined> {
  const text = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => undefined); // no such process, or no /proc
  const match = /^\d+ \((?<program>.*)\) (?<state>\S) (?<rest>.*)$/s.exec(text ?? '');
  if (!match?.groups) return undefined;
  return { program: match.groups['program'] ?? '', state: match.groups['state'] ?? '', birth: match.groups['rest']?.split(' ')[18] ?? '' };
}
