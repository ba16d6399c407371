import { createInterface } from 'node:readline/promises';

/** Asks the person at the terminal whether the services of this machine may be started again, for a reason given. Enter means no. */
export async function mayRestart(why: string): Promise<boolean> {
  const lines = createInterface({ input: process.stdin, output: process.stderr });
  const left = new Promise<string>((resolve) => lines.once('close', () => resolve('')));
  try {
    const question = `${why}\nStart them again with yours? Turns that run there go on afterwards. [y/N] `;
    return /^y(es)?$/i.test((await Promise.race([lines.question(question), left])).trim());
  } finally {
    lines.close();
  }
}
