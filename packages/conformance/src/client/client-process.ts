import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import type { ClientStart, ClientUnderTest } from './client-under-test.js';

/** What is kept of a client's output. */
const KEPT_CHARACTERS = 2_000;

/** What the client is asked to say, if it says anything. */
const MESSAGE = 'Do what the conformance kit asks for.';

/** The client as a shell command, started anew for each check in a process group of its own. */
export class ClientProcess implements ClientUnderTest {
  private child: ChildProcess | undefined;
  private printed = '';

  constructor(private readonly command: string) {}

  async start({ url, token, workspace, state, session, approve }: ClientStart): Promise<void> {
    const variables = {
      ...{ CODELAB_URL: url, CODELAB_TOKEN: token, CODELAB_WORKSPACE: workspace, CODELAB_SESSION: session, CODELAB_STATE: state },
      ...{ CODELAB_APPROVE: approve, CODELAB_MESSAGE: MESSAGE },
    };
    const words = Object.entries(variables).map(([name, value]) => `${name}=${value}`);
    const child = spawn('env', [...words, 'sh', '-c', this.command], { detached: true, stdio: ['ignore', 'pipe', 'pipe'] });
    this.child = child;
    const keep = (text: string): void => void (this.printed = (this.printed + text).slice(-KEPT_CHARACTERS));
    child.stdout.setEncoding('utf8').on('data', keep);
    child.stderr.setEncoding('utf8').on('data', keep);
    await once(child, 'spawn');
    child.once('exit', (code, signal) => keep(`\n[ended: ${signal ?? String(code)}]`));
  }

  async kill(): Promise<void> {
    const { child } = this;
    this.child = undefined;
    if (child?.pid === undefined) return;
    const gone = child.exitCode !== null || child.signalCode !== null ? Promise.resolve() : once(child, 'exit');
    try {
      process.kill(-child.pid, 'SIGKILL');
    } catch {
      // the whole group has ended by itself
    }
    await gone;
    child.stdout?.destroy();
    child.stderr?.destroy();
  }

  release(): Promise<void> {
    return this.kill();
  }

  output(): string {
    return this.printed.trim();
  }
}
