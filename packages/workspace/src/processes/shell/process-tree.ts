import { spawn } from 'node:child_process';
import { setTimeout as delay } from 'node:timers/promises';
import { findProcess, listProcesses, withVariable, type ProcessEntry } from './process-table.js';

/** The variable that marks whatever a command of ours starts. */
export const MARKER = 'CODELAB_PROCESS';

/** What belongs together: a process, which leads a session of its own, and everything that it started. */
export interface ProcessTree {
  /** The value of {@link MARKER}: it is inherited, so it finds what left the session and lost its parent. */
  readonly marker: string;
  /** The first process. Left out where it ended long ago and another one may have its pid. */
  readonly leader?: { readonly pid: number; readonly birth: string; readonly began: number } | undefined;
}

/** How often to look whether the processes have ended, in milliseconds. */
const LOOK_MS = 25;

/** How long a killed process may take to be gone, in milliseconds; longer than that it hangs in the system, and nobody can help it. */
const KILLED_MS = 2_000;

/** Adds the children of what was found, and the sessions that they lead, until nothing is added. */
const withOffspring = (found: Set<number>, entries: readonly ProcessEntry[]): void => {
  for (let before = -1; before !== found.size;) {
    before = found.size;
    for (const { pid, parent, session } of entries) if (found.has(parent) || found.has(session)) found.add(pid);
  }
};

/** The processes of a tree that live, in whatever session they are and whoever their parent is by now. */
async function findTree({ marker, leader }: ProcessTree): Promise<readonly ProcessEntry[]> {
  const all = await listProcesses();
  const holder = leader && all.find(({ pid }) => pid === leader.pid);
  const isRecycled = holder !== undefined && holder.birth !== leader!.birth;
  const later = all.filter(({ pid, began }) => pid !== process.pid && began >= (leader?.began ?? 0));
  const found = new Set((await withVariable(later, MARKER, marker)).map(({ pid }) => pid));
  if (leader !== undefined && !isRecycled) {
    for (const { pid, session } of later) if (pid === leader.pid || session === leader.pid) found.add(pid);
  }
  withOffspring(found, later);
  return later.filter(({ pid }) => found.has(pid));
}

const send = (pid: number, signal: NodeJS.Signals): void => {
  try {
    process.kill(pid, signal);
  } catch {
    return; // it has ended, or it is another user's by now
  }
};

const ask = (pid: number): void => {
  send(pid, 'SIGTERM');
  send(pid, 'SIGCONT'); // one that is stopped would not hear of it
};

/**
 * Asks the group of the leader to end, while it lives: most of a tree is in it, and who else belongs to it only a look at all processes of the machine
 * tells, which takes its time. Answers which group that is.
 */
async function askGroup({ leader }: ProcessTree): Promise<number | undefined> {
  const now = leader && (await findProcess(leader.pid));
  if (now === undefined || now.birth !== leader?.birth || now.group !== now.pid) return undefined;
  ask(-now.group);
  return now.group;
}

const endOnWindows = (pid: number): Promise<void> =>
  new Promise((resolve) => {
    const killer = spawn('taskkill', ['/pid', String(pid), '/T', '/F'], { stdio: 'ignore', windowsHide: true });
    killer.on('error', () => resolve());
    killer.on('close', () => resolve());
  });

/**
 * Ends a whole tree: asks each process to end, those of the leader's group at once, and after the grace kills what is left, again and again, since a dying
 * process can still start another.
 *
 * @param graceMs between asking and killing
 * @returns whether anything had to be ended
 */
export async function endTree(tree: ProcessTree, graceMs: number): Promise<boolean> {
  if (process.platform === 'win32') {
    if (tree.leader !== undefined) await endOnWindows(tree.leader.pid);
    return true;
  }
  const began = performance.now();
  const group = await askGroup(tree);
  const asked = new Set<number>();
  for (let look = 0; ; look += 1) {
    const living = await findTree(tree);
    const waited = performance.now() - began;
    if (living.length === 0 || waited > graceMs + KILLED_MS) return group !== undefined || asked.size > 0;
    for (const { pid, group: own } of living) {
      if (waited >= graceMs) send(pid, 'SIGKILL');
      else if (!asked.has(pid) && !(look === 0 && own === group)) ask(pid);
      asked.add(pid);
    }
    await delay(LOOK_MS);
  }
}
