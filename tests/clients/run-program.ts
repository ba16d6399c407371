import { spawn } from 'node:child_process';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';

/** What came of one scenario: a value, or the error that it threw. */
export interface Outcome<T> {
  readonly value?: T;
  readonly error?: ThrownError;
}

/** What a program could read off an error of its client. */
export interface ThrownError {
  readonly name?: string;
  readonly message?: string;
  readonly status?: number;
  readonly code?: string;
  readonly param?: string;
  readonly type?: string;
}

/** How a program ended and what it wrote. */
export interface Ended {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs a program of this Node to its end. */
export async function run(argv: readonly string[], options: { readonly env: NodeJS.ProcessEnv; readonly cwd?: string }): Promise<Ended> {
  const child = spawn(process.execPath, argv, { ...options, stdio: ['ignore', 'pipe', 'pipe'] });
  const closed = new Promise<number | null>((resolve) => child.once('close', resolve));
  const [stdout, stderr, code] = await Promise.all([text(child.stdout), text(child.stderr), closed]);
  return { code, stdout, stderr };
}

/** Runs a program of `programs/`; gives what it says of its scenarios, by model. */
export async function runProgram(name: string, words: readonly string[], env: NodeJS.ProcessEnv): Promise<Record<string, Outcome<never>>> {
  const { code, stdout, stderr } = await run([fileURLToPath(new URL(`programs/${name}.mjs`, import.meta.url)), ...words], { env });
  if (code !== 0) throw new Error(`${name} ended with ${code}:\n${stderr}`);
  return JSON.parse(stdout.trim().split('\n').at(-1) ?? '') as Record<string, Outcome<never>>;
}
