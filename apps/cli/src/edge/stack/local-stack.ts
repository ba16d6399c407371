import { findLocalStack, holdStack, type StackRecord } from '@codelab/client/local-stack';
import { spawn } from 'node:child_process';
import { open, readFile, type FileHandle } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { setTimeout as delay } from 'node:timers/promises';
import { ensureDataDir } from '@codelab/service-shell';
import { CommandError } from '../../core/command-error.js';
import { childEnvironment, readCliConfig, serviceEnvironment } from '../config.js';
import { ALREADY_RUNNING } from './directory-lock.js';
import { installation } from './installation.js';

/** A stack on this machine that we use. `stop` lets go of it: one that was started for its users ends when the last one has let go. */
export interface UsedStack {
  readonly record: StackRecord;
  stop(): void;
}

const START_MS = 90_000;
const LONGEST_LOG_BYTES = 5 * 1_048_576;

/** The running stack, or one that is started for us and ends when nobody uses it any more. Throws a sentence when none can be had. */
export async function useLocalStack(dataDir: string, say: (text: string) => void): Promise<UsedStack> {
  const deadline = Date.now() + START_MS;
  for (;;) {
    const found = await findLocalStack(dataDir);
    const letGo = found && (await holdStack(found));
    if (found && letGo) return { record: found, stop: letGo };
    if (Date.now() > deadline)
      throw new CommandError(`The stack on ${dataDir} is started by another process and doesn't get ready: see ${logOf(dataDir)}.`);
    if ((await startLocalStack(dataDir, say)) === 'busy') await delay(200);
  }
}

/**
 * Starts `codelab up` as a process of its own that ends when nobody holds it; resolves when it is ready. `busy`: another process is starting
 * or stopping one on this data directory. Its log is `<dataDir>/stack.log`.
 */
export async function startLocalStack(dataDir: string, say: (text: string) => void): Promise<'started' | 'busy'> {
  await ensureDataDir(dataDir);
  const log = await openLog(dataDir);
  const child = spawn(process.execPath, [installation.cli, 'up', '--json', '--while-held'], {
    stdio: ['ignore', 'pipe', log.fd],
    cwd: dataDir,
    detached: true, // it outlives a Ctrl-C here: others may use it
    env: childEnvironment({ ...serviceEnvironment(readCliConfig()), CODELAB_DATA_DIR: dataDir }),
  });
  const stdout = child.stdout as Readable; // piped
  const exit = new Promise<number>((resolve) => child.once('exit', (code) => resolve(code ?? 1)));
  const ready = new Promise<'ready'>((resolve) => createInterface({ input: stdout }).once('line', () => resolve('ready')));
  const slow = setTimeout(() => say('starting the services …'), 300);
  try {
    const outcome = await Promise.race([ready, exit]);
    if (outcome === ALREADY_RUNNING) return 'busy';
    if (outcome !== 'ready') throw new CommandError(await lastSentence(dataDir));
    return 'started';
  } finally {
    clearTimeout(slow);
    await log.close();
    stdout.destroy();
    child.unref();
  }
}

const logOf = (dataDir: string) => join(dataDir, 'stack.log');

/** Appends: another process may be writing at this moment. Begins anew when it has grown long. */
async function openLog(dataDir: string): Promise<FileHandle> {
  const log = await open(logOf(dataDir), 'a', 0o600);
  if ((await log.stat()).size > LONGEST_LOG_BYTES) await log.truncate();
  return log;
}

/** What `up` said last for people, which may be several lines: everything else in its log is JSON. */
async function lastSentence(dataDir: string): Promise<string> {
  const lines = (await readFile(logOf(dataDir), 'utf8')).split('\n').filter((line) => line !== '');
  const isSaid = (line: string): boolean => !line.startsWith('{');
  const end = lines.findLastIndex(isSaid) + 1;
  const begin = lines.slice(0, end).findLastIndex((line) => !isSaid(line)) + 1;
  const said = lines.slice(begin, end).filter((line) => !line.endsWith('…')); // a step that was begun says nothing of its end
  return said.length === 0 ? `The services did not start: see ${logOf(dataDir)}, or run \`codelab up\`.` : said.join('\n');
}
