import type { Clock } from '@codelab/clock';
import { rm } from 'node:fs/promises';
import { connect, type Socket } from 'node:net';
import type { Unanswered } from '../approvals/decision.js';
import { findSockets, withShortPath } from './console-folder.js';
import type { ConsoleQuestion } from './console-wire.js';
import { readLine } from './read-line.js';

/** How a question to the consoles of a workspace is asked. */
export interface ConsoleAsking<T> {
  readonly folder: string;
  readonly question: ConsoleQuestion;
  /** Reads the line of a console. */
  readonly read: (line: string) => T;
  /** Aborted when the question is over otherwise: the prompts clear. */
  readonly signal: AbortSignal;
  readonly timeoutMs: number;
  readonly clock: Clock;
}

/**
 * Puts a question to everybody who watches the workspace: each chat and each `codelab mcp approvals`. The first decision counts, and clears
 * the prompts of the others.
 */
export async function askConsoles<T>({ folder, question, read, signal, timeoutMs, clock }: ConsoleAsking<T>): Promise<T | Unanswered> {
  const files = await findSockets(folder);
  const sockets = (await Promise.all(files.map((file) => open(folder, file)))).filter((socket) => socket !== undefined);
  if (sockets.length === 0) return { kind: 'nobody' };
  let end: (outcome: T | Unanswered) => void = () => undefined;
  const ended = new Promise<T | Unanswered>((resolve) => (end = resolve));
  const giveUp = (): void => end({ kind: 'dismissed' });
  const callOff = clock.after(timeoutMs, () => end({ kind: 'timed_out' }));
  signal.addEventListener('abort', giveUp);
  if (signal.aborted) giveUp();
  let left = sockets.length;
  for (const socket of sockets) {
    socket.write(`${JSON.stringify(question)}\n`);
    void readLine(socket).then((line) => {
      left -= 1;
      if (line !== undefined) end(read(line));
      else if (left === 0) end({ kind: 'disconnected' });
    });
  }
  try {
    return await ended;
  } finally {
    callOff();
    signal.removeEventListener('abort', giveUp);
    for (const socket of sockets) socket.destroy();
  }
}

/** A console that listens; the file of one that was killed is cleared away. */
const open = (folder: string, file: string): Promise<Socket | undefined> =>
  withShortPath(
    folder,
    file,
    (path) =>
      new Promise((resolve) => {
        const socket = connect(path);
        socket.once('connect', () => resolve(socket));
        socket.once('error', (error: NodeJS.ErrnoException) => {
          socket.destroy();
          if (error.code !== 'ECONNREFUSED') return resolve(undefined);
          void rm(file, { force: true }).finally(() => resolve(undefined));
        });
      }),
  );
