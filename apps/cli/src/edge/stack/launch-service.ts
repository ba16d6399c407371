import { spawn, type ChildProcess } from 'node:child_process';
import type { SupervisorMessage } from '@codelab/service-shell';
import { CommandError } from '../../core/command-error.js';
import type { ReplicaPlan } from '../../core/stack/plan-stack.js';
import { childEnvironment } from '../config.js';
import { whenEnded } from './end-process.js';
import type { Launch, Life } from './kept-process.js';

export interface ServiceProgram {
  readonly plan: ReplicaPlan;
  /** The compiled `main.js`. */
  readonly main: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Its working folder: one of ours, so that it neither reads nor holds the one that we were started in. */
  readonly folder: string;
}

/** What a service gets to drain before it is killed. */
export const SERVICE_GRACE_MS = 14_000;

/** Another program listens on the port of a service. */
class PortTaken extends CommandError {}

/**
 * Starts a service as a process of its own and waits until it says that it is ready. The port it got the first time is asked for again
 * after a restart. Its log goes to our stderr.
 */
export function launchService({ plan, main, environment, folder }: ServiceProgram): {
  readonly launch: Launch;
  readonly port: () => number;
} {
  let port = plan.port;
  const begin: Launch = async (abort) => {
    const child = spawn(process.execPath, [main], {
      cwd: folder,
      stdio: ['ignore', 2, 2, 'ipc'],
      detached: true, // Ctrl-C in the terminal is for us; the service hears it from us, once
      env: childEnvironment({ ...environment, [plan.portVariable]: String(port) }),
    });
    const life = toLife(child);
    const stop = () => {
      life.end('SIGTERM');
      setTimeout(() => life.end('SIGKILL'), SERVICE_GRACE_MS).unref();
    };
    abort.addEventListener('abort', stop);
    try {
      await whenReady(child, plan.name, (listening) => (port = listening));
    } catch (error) {
      life.end('SIGKILL');
      await life.ended;
      throw error;
    } finally {
      abort.removeEventListener('abort', stop);
    }
    return life;
  };
  const launch: Launch = async (abort) => {
    try {
      return await begin(abort);
    } catch (error) {
      if (!(error instanceof PortTaken) || !plan.orAnyFree || port !== plan.port) throw error;
      port = 0;
      return begin(abort);
    }
  };
  return { launch, port: () => port };
}

function toLife(child: ChildProcess): Life {
  return { pid: child.pid ?? 0, ended: whenEnded(child), end: (signal) => void child.kill(signal) };
}

function whenReady(child: ChildProcess, name: string, onListening: (port: number) => void): Promise<void> {
  return new Promise((resolve, reject) => {
    child.on('message', (message: SupervisorMessage) => {
      if (message.type === 'listening') onListening(message.port);
      if (message.type === 'ready') resolve();
      if (message.type === 'failed') reject(new (message.portTaken ? PortTaken : CommandError)(message.message));
    });
    child.once('error', reject);
    child.once('exit', (code, signal) => reject(new Error(`${name} ended before it was ready (${signal ?? `exit code ${code}`})`)));
  });
}
