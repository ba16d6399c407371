import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { childEnvironment } from './config.js';
import { installation } from './stack/installation.js';

/** Runs a program of the repository in its root, on our terminal, and returns its exit code; ended by a signal counts as 1. */
export async function runScript(words: readonly string[]): Promise<number> {
  const child = spawn(process.execPath, words, { cwd: installation.root, stdio: 'inherit', env: childEnvironment() });
  const ignore = () => undefined; // the terminal's Ctrl-C reaches the child as well: it decides
  process.on('SIGINT', ignore);
  try {
    const [code] = (await once(child, 'exit')) as [number | null];
    return code ?? 1;
  } finally {
    process.off('SIGINT', ignore);
  }
}
