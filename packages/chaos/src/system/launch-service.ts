import { fork } from 'node:child_process';
import { clockArguments } from './shift-clock.js';
import type { LaunchLife } from './chaos-process.js';
import { mainOf, type ServiceKind } from './installation.js';

/** What a service is started with. */
export interface ServiceLaunch {
  readonly root: string;
  readonly service: ServiceKind;
  /** Its port stays the same over restarts, as behind a load balancer, unless somebody took it while the service was away. */
  readonly port: { value: number };
  /** How far its clock is ahead: text of a number of milliseconds in this file. */
  readonly clockFile: string;
  readonly folder: string;
  readonly env: Readonly<Record<string, string>>;
}

const PORT_VARIABLE = { gateway: 'GATEWAY_PORT', 'agent-runtime': 'RUNTIME_PORT', 'llm-proxy': 'LLM_PROXY_PORT' } as const;

/** What the services tell the process that started them. */
type Message =
  | { readonly type: 'listening'; readonly port: number }
  | { readonly type: 'ready' }
  | { readonly type: 'failed'; readonly portTaken?: boolean };

/** Starts a built service as a process of its own; it is ready when it says so. */
export const launchService =
  ({ root, service, port, clockFile, folder, env }: ServiceLaunch): LaunchLife =>
  () => {
    const child = fork(mainOf(root, service), {
      cwd: folder,
      execArgv: ['--enable-source-maps', ...clockArguments()],
      env: { ...env, [PORT_VARIABLE[service]]: String(port.value), CODELAB_CHAOS_CLOCK: clockFile },
      stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    });
    let isPortTaken = false;
    const ready = new Promise<void>((resolve, reject) => {
      child.on('message', (message: Message) => {
        if (message.type === 'listening') port.value = message.port;
        if (message.type === 'failed' && message.portTaken === true) {
          isPortTaken = true;
          port.value = 0; // any, the next time
        }
        if (message.type !== 'ready') return;
        child.kill('SIGUSR2'); // its clock may have been set while it started, when it could not be told
        resolve();
      });
      child.once('error', reject);
      child.once('exit', (code, signal) => reject(new Error(`${service} ended before it was ready (${signal ?? `code ${String(code)}`})`)));
    });
    ready.catch(() => undefined); // a fault may end it before it is ready
    return { child, ready, hadNoPlace: () => isPortTaken };
  };
