import { mkdir, mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { randomUUID } from 'node:crypto';
import { runChecks, type CheckResult, type RunOptions } from '../run-checks.js';
import { CLIENT_CHECKS } from './client-checks.js';
import { ClientByHand } from './client-by-hand.js';
import { ClientProcess } from './client-process.js';
import { ClientStage } from './client-stage.js';
import type { ClientUnderTest } from './client-under-test.js';
import { ScriptedServer } from './scripted-server.js';

/** How a client is checked. */
export interface CheckClientOptions extends Pick<RunOptions<ClientStage>, 'only' | 'jobs' | 'onResult' | 'signal'> {
  /** The shell command of the client; without it somebody runs the client by hand. */
  readonly run?: string;
  /** The port to listen on, of a client that is run by hand; 0: a free one. */
  readonly port?: number;
  /** Says a sentence to whoever runs the client by hand. */
  readonly tell: (sentence: string) => void;
}

/** Plays a server to a client, one check after another, and says how each ended. */
export async function checkClient({ run, port = 0, tell, ...options }: CheckClientOptions): Promise<readonly CheckResult[]> {
  const base = await mkdtemp(join(tmpdir(), 'codelab-conformance-'));
  const token = randomUUID();
  try {
    if (run !== undefined) {
      const stage = async () => {
        const server = await new ScriptedServer(token).listen();
        return open(server, new ClientProcess(run), join(base, randomUUID()), () => server.close());
      };
      return await runChecks(CLIENT_CHECKS, { ...options, stage });
    }
    const server = await new ScriptedServer(token).listen(port);
    const client = new ClientByHand(server, tell);
    const stage = () => open(server, client, base, () => Promise.resolve());
    try {
      return await runChecks(CLIENT_CHECKS, { ...options, jobs: 1, stage });
    } finally {
      await server.close();
    }
  } finally {
    await rm(base, { recursive: true, force: true, maxRetries: 5 });
  }
}

async function open(server: ScriptedServer, client: ClientUnderTest, base: string, close: () => Promise<void>) {
  const place = { workspace: join(base, 'workspace'), state: join(base, 'state'), outside: join(base, 'outside'), session: 'conformance' };
  for (const folder of [place.workspace, place.state, place.outside]) await mkdir(folder, { recursive: true });
  for (const folder of [place.workspace, place.outside]) await empty(folder);
  const stage = new ClientStage(server, client, place);
  return {
    stage,
    close: async () => {
      stage.leave();
      await empty(place.workspace); // ends a command that waits for a file to go
      await client.release();
      await close();
    },
  };
}

async function empty(folder: string): Promise<void> {
  for (const name of await readdir(folder)) await rm(join(folder, name), { recursive: true, force: true, maxRetries: 5 });
}
