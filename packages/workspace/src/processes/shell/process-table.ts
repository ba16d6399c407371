import { execFile } from 'node:child_process';
import { readdir, readFile } from 'node:fs/promises';
import { promisify } from 'node:util';

/** A process of the machine, as far as it tells whom it belongs to. */
export interface ProcessEntry {
  readonly pid: number;
  readonly parent: number;
  readonly group: number;
  readonly session: number;
  /** When it began, in ticks of the system's own: for comparing two of the same boot. */
  readonly began: number;
  /** With the pid it names a process for good: a recycled pid has another birth, also after a reboot. */
  readonly birth: string;
}

const run = promisify(execFile);

/** How many files of `/proc` are read side by side. */
const AT_ONCE = 32;

/** A function that does its work the first time, and answers the same ever after. */
const once = <T>(work: () => Promise<T>): (() => Promise<T>) => {
  let result: Promise<T> | undefined;
  return () => (result ??= work());
};

/** The id of this boot; empty where the system has none. */
const bootId = once(async () => (await readFile('/proc/sys/kernel/random/boot_id', 'utf8').catch(() => '')).trim());

const hasProc = once(async () => process.platform === 'linux' && (await readFile('/proc/self/stat', 'utf8').catch(() => '')) !== '');

/** One line of `/proc/<pid>/stat`; nothing for a process that has ended and only waits to be noticed. */
const parseStat = (text: string, boot: string): ProcessEntry | undefined => {
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' '); // the program's name may hold anything, parentheses too
  const [state, parent, group, session] = fields;
  const began = fields[19];
  if (state === undefined || began === undefined || state === 'Z' || state === 'X') return undefined;
  const pid = Number.parseInt(text, 10);
  return { pid, parent: Number(parent), group: Number(group), session: Number(session), began: Number(began), birth: `${boot}/${began}` };
};

const readStat = async (pid: string, boot: string): Promise<ProcessEntry | undefined> => {
  const text = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => undefined); // it has ended
  return text === undefined ? undefined : parseStat(text, boot);
};

const listProc = async (): Promise<ProcessEntry[]> => {
  const boot = await bootId();
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name));
  const found: ProcessEntry[] = [];
  for (let index = 0; index < pids.length; index += AT_ONCE) {
    const entries = await Promise.all(pids.slice(index, index + AT_ONCE).map((pid) => readStat(pid, boot)));
    found.push(...entries.filter((entry) => entry !== undefined));
  }
  return found;
};

/** Reads the answer of `ps -A -o pid=,ppid=,pgid=,stat=,lstart=`, which knows no sessions: the group stands for them. */
export const parsePs = (text: string): ProcessEntry[] =>
  text.split('\n').flatMap((line) => {
    const [, pid, parent, group, state, birth] = /^\s*(\d+)\s+(\d+)\s+(\d+)\s+(\S+)\s+(.+?)\s*$/.exec(line) ?? [];
    if (birth === undefined || state!.startsWith('Z')) return [];
    const leader = Number(group);
    return [{ pid: Number(pid), parent: Number(parent), group: leader, session: leader, began: Date.parse(birth), birth }];
  });

const listPs = async (...selection: readonly string[]): Promise<ProcessEntry[]> =>
  run('ps', [...selection, '-o', 'pid=,ppid=,pgid=,stat=,lstart='], { env: { PATH: '/usr/bin:/bin', LC_ALL: 'C' } }).then(
    ({ stdout }) => parsePs(stdout),
    () => [], // no such process, or no ps
  );

/** All processes that live; empty on a system that has neither `/proc` nor `ps`. */
export const listProcesses = async (): Promise<readonly ProcessEntry[]> => ((await hasProc()) ? listProc() : listPs('-A'));

/** One process, if it lives. */
export const findProcess = async (pid: number): Promise<ProcessEntry | undefined> =>
  (await hasProc()) ? readStat(String(pid), await bootId()) : (await listPs('-p', String(pid)))[0];

/** Whether a process has a variable with this value in its environment; false where that can't be seen. */
export async function hasVariable(pid: number, name: string, value: string): Promise<boolean> {
  const text = await readFile(`/proc/${String(pid)}/environ`, 'latin1').catch(() => ''); // of another user, or it has ended
  return `\0${text}`.includes(`\0${name}=${value}\0`);
}
