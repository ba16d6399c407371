import { setTimeout as delay } from 'node:timers/promises';
import { CommandError } from '../../core/command-error.js';
import type { StackRecord } from '../../core/stack/stack-info.js';
import { signalProcess } from './end-process.js';
import { isAlive } from './process-identity.js';

/** Services drain for some seconds, and Redis writes its file. */
const END_MS = 30_000;

/** Ends a stack of this machine in good order, and resolves when it is gone. Turns that run there are taken up by the next one. */
export async function endStack({ pid }: StackRecord): Promise<void> {
  signalProcess(pid, 'SIGTERM');
  for (const deadline = Date.now() + END_MS; await isAlive(pid); await delay(50))
    if (Date.now() > deadline)
      throw new CommandError(`The stack (process ${pid}) did not end within ${END_MS / 1_000} s: stop it by hand.`);
}
