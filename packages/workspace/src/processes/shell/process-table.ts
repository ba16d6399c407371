import { execFile } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { setImmediate as othersTurn } from 'node:timers/promises';
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
  /** It waits in the system for something that can't be interrupted, a disk or a file server: so may who asks it for more. */
  readonly hangs?: boolean;
}

const run = promisify(execFile);

/** How many files of `/proc` are read before others have their turn. */
const AT_ONCE = 64;

/** A function that does its work the first time, and answers the same ever after. */
const once = <T>(work: () => T): (() => T) => {
  let done: { readonly result: T } | undefined;
  return () => (done ??= { result: work() }).result;
};

/**
 * A file of `/proc`; nothing where there is none, or it is another user's. It is read at once: by way of Node's threads each file would wait four times for
 * its turn, which on a busy machine takes seconds for all of them.
 */
const readProc = (name: string): string | undefined => {
  try {
    return readFileSync(`/proc/${name}`, 'latin1');
  } catch {
    return undefined;
  }
};

/** The id of this boot; empty where the system has none. */
const bootId = once(() => (readProc('sys/kernel/random/boot_id') ?? '').trim());

const hasProc = once(() => process.platform === 'linux' && readProc('self/stat') !== undefined);

/** Does something with each, and lets others have their turn now and then. */
async function inTurns<T, R>(items: readonly T[], work: (item: T) => R): Promise<readonly R[]> {
  const results: R[] = [];
  for (let first = 0; first < items.length; first += AT_ONCE) {
    if (first > 0) await othersTurn();
    results.push(...items.slice(first, first + AT_ONCE).map(work));
  }
  return results;
}

/** One line of `/proc/<pid>/stat`; nothing for a process that has ended and only waits to be noticed. */
const parseStat = (text: string, boot: string): ProcessEntry | undefined => {
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' '); // the program's name may hold anything, parentheses too
  const [state, parent, group, session] = fields;
  const began = fields[19];
  if (state === undefined || began === undefined || state === 'Z' || state === 'X') return undefined;
  const pid = Number.parseInt(text, 10);
  const place = { pid, parent: Number(parent), group: Number(group), session: Number(session) };
  return { ...place, began: Number(began), birth: `${boot}/${began}`, hangs: state === 'D' };
};

const readStat = (pid: string): ProcessEntry | undefined => {
  const text = readProc(`${pid}/stat`);
  return text === undefined ? undefined : parseStat(text, bootId()); // it has ended
};

const listProc = async (): Promise<readonly ProcessEntry[]> => {
  const pids = readdirSync('/proc').filter((name) => /^\d+$/.test(name));
  return (await inTurns(pids, readStat)).filter((entry) => entry !== undefined);
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
export const listProcesses = async (): Promise<readonly ProcessEntry[]> => (hasProc() ? listProc() : listPs('-A'));

/** One process, if it lives. */
export const findProcess = async (pid: number): Promise<ProcessEntry | undefined> =>
  hasProc() ? readStat(String(pid)) : (await listPs('-p', String(pid)))[0];

/** Those of them that have a variable with this value in their environment, as far as that can be seen. */
export async function withVariable(entries: readonly ProcessEntry[], name: string, value: string): Promise<readonly ProcessEntry[]> {
  const has = (environment = ''): boolean => `\0${environment}`.includes(`\0${name}=${value}\0`);
  const [hanging, others] = [entries.filter(({ hangs }) => hangs === true), entries.filter(({ hangs }) => hangs !== true)];
  const [late, found] = await Promise.all([
    Promise.all(hanging.map(async ({ pid }) => has(await readFile(`/proc/${String(pid)}/environ`, 'latin1').catch(() => undefined)))),
    inTurns(others, ({ pid }) => has(readProc(`${String(pid)}/environ`))),
  ]);
  return [...hanging.filter((_, index) => late[index]), ...others.filter((_, index) => found[index])];
}
