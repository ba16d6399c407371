import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { CodeLabClient, createLocalPolicy, workspaceExecutor } from '@codelab/client';
import { openWorkspace } from '@codelab/workspace';
import type { System } from '../e2e/start-system.js';

export interface JoinOptions {
  readonly session?: string;
  /** Of the session, before people. */
  readonly title?: string;
  /** What the folder is called. Default: `web-shop`. */
  readonly folder?: string;
}

/** A client with a workspace, whose human is elsewhere: what it asks is decided in the console. */
export interface Laptop {
  readonly sessionId: string;
  say(message: string): Promise<void>;
  leave(): Promise<void>;
}

/** Joins a session as its executor. */
export async function joinSession(
  system: System,
  root: string,
  { session = `s-${randomUUID().slice(0, 8)}`, title, folder = 'web-shop' }: JoinOptions = {},
): Promise<Laptop> {
  const dataDir = join(system.dataDir, `laptop-${session}`);
  const nobody = (): Promise<never> => Promise.reject(new Error('nobody sits here'));
  const workspace = await openWorkspace({ root, dataDir, ask: { promptUser: nobody, reviewPatch: nobody } });
  const client = new CodeLabClient({
    url: system.gateways[0]?.ws ?? '',
    token: system.token,
    sessionId: session,
    clientId: `laptop-${session}`,
    client: { name: 'laptop', version: '0' },
    executor: workspaceExecutor(workspace),
    workspace: { id: session, name: folder, root },
    journalDir: join(dataDir, 'journal'),
    approve: () => new Promise(() => undefined),
    localPolicy: createLocalPolicy(),
  });
  await client.connect();
  if (title !== undefined) await rename(system, session, title);
  return {
    sessionId: session,
    say: async (message) => void (await client.sendMessage(message)),
    leave: () => client.close(),
  };
}

async function rename({ gateways, token }: System, session: string, title: string): Promise<void> {
  await fetch(`${gateways[0]?.url ?? ''}/api/v1/sessions/${session}`, {
    method: 'PATCH',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ title }),
  });
}
