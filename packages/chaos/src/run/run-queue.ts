import { readFileSync } from 'node:fs';

/** How long processes could have run and had no processor, as Linux counts it; elsewhere nothing. */
export class RunQueue {
  private before = new Map<number, number>();

  constructor(private readonly read: (pid: number) => number | undefined = runDelayOf) {}

  /**
   * What the one of these processes that waited longest since the last look has waited, in milliseconds. Whatever passes from process to
   * process is with one of them at a time, so that it waits no longer than that. What one waited before it was first seen doesn't count.
   */
  waitedMs(pids: readonly number[]): number {
    const { before } = this;
    this.before = new Map(
      pids.flatMap((pid) => {
        const ms = this.read(pid);
        return ms === undefined ? [] : [[pid, ms] as const];
      }),
    );
    return Math.max(0, ...[...this.before].map(([pid, ms]) => ms - (before.get(pid) ?? ms)));
  }
}

/** The second number of a process's schedstat, in nanoseconds: of its main thread, on which its program runs. */
function runDelayOf(pid: number): number | undefined {
  try {
    return Number(readFileSync(`/proc/${String(pid)}/schedstat`, 'utf8').split(' ')[1]) / 1e6;
  } catch {
    return undefined; // it is gone, or this is no Linux
  }
}
