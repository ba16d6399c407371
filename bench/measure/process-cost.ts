import { readFile } from 'node:fs/promises';

const TICKS_PER_SECOND = 100;

/** CPU time that a process has used, in milliseconds. */
export async function cpuMs(pid: number): Promise<number> {
  const stat = await readFile(`/proc/${String(pid)}/stat`, 'utf8');
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return ((Number(fields[11]) + Number(fields[12])) * 1000) / TICKS_PER_SECOND;
}

/** Resident memory of a process, in bytes. */
export async function residentBytes(pid: number): Promise<number> {
  const status = await readFile(`/proc/${String(pid)}/status`, 'utf8');
  return Number(/VmRSS:\s+(\d+)/.exec(status)?.[1] ?? 0) * 1024;
}

/** CPU that named processes use while something runs, in milliseconds each. */
export async function cpuDuring<T>(
  pids: Readonly<Record<string, number>>,
  run: () => Promise<T>,
): Promise<{ readonly value: T; readonly cpu: Record<string, number> }> {
  const read = async (): Promise<Record<string, number>> =>
    Object.fromEntries(await Promise.all(Object.entries(pids).map(async ([name, pid]) => [name, await cpuMs(pid)] as const)));
  const before = await read();
  const value = await run();
  const after = await read();
  return { value, cpu: Object.fromEntries(Object.keys(pids).map((name) => [name, (after[name] ?? 0) - (before[name] ?? 0)])) };
}

/** The most memory that a process has had, in bytes. */
export async function peakBytes(pid: number): Promise<number> {
  const status = await readFile(`/proc/${String(pid)}/status`, 'utf8');
  return Number(/VmHWM:\s+(\d+)/.exec(status)?.[1] ?? 0) * 1024;
}
