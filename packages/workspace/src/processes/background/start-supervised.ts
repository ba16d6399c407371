import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { ToolFailure } from '../../tool-failure.js';
import type { ReadyCommand } from '../commands.js';

interface SupervisedStart {
  readonly processId: string;
  readonly command: string;
  readonly ready: ReadyCommand;
  /** An empty directory for its record. */
  readonly directory: string;
  readonly startedAtMs: number;
  readonly sessionId?: string | undefined;
}

/** Half of the output that is kept, in bytes: the last two segments stay. */
const SEGMENT_BYTES = 4 * 1024 * 1024;

/** How long a supervisor may take to start on a busy machine, in milliseconds. */
const START_MS = 30_000;

/** The program beside this file, which the build renames, or beside the bundle that this is in. */
const SUPERVISOR = fileURLToPath(new URL(import.meta.url.endsWith('.js') ? './supervise.js' : './supervise.mjs', import.meta.url));

type Answer = { readonly ok: true } | { readonly ok: false; readonly code?: string };

/** As a program of its own it needs nothing of ours; the variable makes an Electron behave as Node. */
const ownEnvironment = (environment: ReadyCommand['environment']): NodeJS.ProcessEnv => {
  const { SystemRoot } = environment;
  return { ELECTRON_RUN_AS_NODE: '1', SystemRoot };
};

/**
 * Starts a process under a supervisor that outlives this client: it is what waits for the process and keeps its output.
 *
 * @throws ToolFailure `PERMISSION_DENIED` if it does not come up
 */
export async function startSupervised({ processId, command, ready, directory, startedAtMs, sessionId }: SupervisedStart): Promise<void> {
  const { program, args, verbatim } = ready.shell;
  const about = { processId, command, cwd: ready.directory.text, marker: ready.marker, startedAtMs, sessionId };
  const order = { directory, about, program, args, verbatim, env: ready.environment, segmentBytes: SEGMENT_BYTES };
  const supervisor = spawn(process.execPath, [SUPERVISOR], {
    cwd: ready.directory.path,
    env: ownEnvironment(ready.environment),
    detached: true,
    windowsHide: true,
    stdio: ['pipe', 'pipe', 'ignore'],
  });
  const answer = await new Promise<Answer>((resolve) => {
    const timer = setTimeout(() => {
      supervisor.kill('SIGKILL');
      resolve({ ok: false, code: 'ETIMEDOUT' });
    }, START_MS);
    const settle = (text: string): void => {
      clearTimeout(timer);
      resolve(text === '' ? { ok: false } : (JSON.parse(text) as Answer));
    };
    let text = '';
    supervisor.on('error', (error: NodeJS.ErrnoException) => settle(JSON.stringify({ ok: false, code: error.code })));
    supervisor.stdout.on('data', (chunk: Buffer) => (text += chunk.toString('utf8')));
    supervisor.stdout.on('close', () => settle(text));
    supervisor.stdin.on('error', () => undefined); // it is gone: its output ends without an answer
    supervisor.stdin.end(JSON.stringify(order));
  });
  supervisor.unref();
  if (!answer.ok)
    throw new ToolFailure(
      'PERMISSION_DENIED',
      `${processId} cannot be started in ${ready.directory.text}: the system answers ${answer.code ?? 'nothing'}. Nothing runs.`,
    );
}
