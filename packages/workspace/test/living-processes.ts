import { readdirSync, readFileSync } from 'node:fs';

/** Pids of the `sleep` processes that sleep for this time, whoever started them: a test that gives each of its own a time finds them again. */
export const sleepers = (seconds: string): readonly number[] =>
  readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .filter((pid) => {
      try {
        return readFileSync(`/proc/${pid}/cmdline`, 'latin1') === `sleep\0${seconds}\0`;
      } catch {
        return false; // it has ended
      }
    })
    .map(Number);

let count = 0;

/** A time to sleep, in seconds, that no other test of this machine uses. */
export const uniqueSleep = (): string => {
  count += 1;
  return `${String(1_000_000 + process.pid)}.${String(count)}`;
};
