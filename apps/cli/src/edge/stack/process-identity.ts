import { processBirth } from '@codelab/client';
import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';

/** Whether a process with this id runs, whoever owns it. A zombie doesn't. */
export const isAlive = async (pid: number): Promise<boolean> => (await processBirth(pid)) !== undefined;

/** The program that the process runs: `redis-server`; '' where it can't be told. */
export async function processProgram(pid: number): Promise<string> {
  return promisify(execFile)('ps', ['-p', String(pid), '-o', 'comm=']).then(
    ({ stdout }) => stdout.trim().split('/').at(-1) ?? '',
    async () => (await readFile(`/proc/${pid}/comm`, 'utf8').catch(() => '')).trim(), // no ps; no such process, or no /proc
  );
}
