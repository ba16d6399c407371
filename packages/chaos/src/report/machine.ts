import { execFile } from 'node:child_process';
import { cpus, loadavg, totalmem } from 'node:os';
import { promisify } from 'node:util';

const GIGABYTE = 1024 ** 3;

/** Processor, memory, system, Node.js and the load of the last minute, in a line. */
export function describeMachine(): string {
  const [first, ...others] = cpus();
  const load = (loadavg()[0] ?? 0).toFixed(1);
  const memory = `${(totalmem() / GIGABYTE).toFixed(0)} GB`;
  return `${String(others.length + 1)} × ${first?.model.trim() ?? 'processor'}, ${memory}, ${process.platform} ${process.arch}, Node.js ${process.version}, load ${load}`;
}

/** The commit of an installation, with `+` behind it where files differ; undefined outside of a checkout. */
export async function presentCommit(root: string): Promise<string | undefined> {
  const git = async (...words: string[]): Promise<string> => (await promisify(execFile)('git', ['-C', root, ...words])).stdout.trim();
  try {
    const [commit, changes] = await Promise.all([
      git('rev-parse', '--short', 'HEAD'),
      git('status', '--porcelain', '--untracked-files=no'),
    ]);
    return changes === '' ? commit : `${commit}+`;
  } catch {
    return undefined;
  }
}
