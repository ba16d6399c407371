/** A process of a run: the real client with the real tools, on sessions that it is told of. It ends when its input does. */
import { createInterface } from 'node:readline';
import { clientIdFor, CodeLabClient, openLocalPolicy, workspaceExecutor } from '@codelab/client';
import { openWorkspace } from '@codelab/workspace';
import type { ChaosEventBody } from '../../recording/chaos-event.js';
import { startRunClock, type RunClock } from '../../recording/run-clock.js';
import { observerOf, type ClientCommand, type ClientConfig, type ClientSession } from './client-config.js';
import { recordRuns } from './record-runs.js';
import { recordSocket } from './record-socket.js';
import { scriptedHuman } from './scripted-human.js';

/** Waits between attempts to connect, shorter than those of people's clients: a run has no time. */
const BACKOFF = { firstMs: 100, maxMs: 1_000, factor: 2 };

const clients = new Map<string, CodeLabClient>();
let clock: RunClock;
let config: ClientConfig;

/** An event, with the time of this process; a pipe takes it before the next thing happens here. */
const record = (event: ChaosEventBody): void => void process.stdout.write(`${JSON.stringify({ at: clock.at(), ...event })}\n`);

async function open({ session, token, root, dataDir, model, vocabulary }: ClientSession): Promise<void> {
  const observer = observerOf(config.name, session);
  const workspace = await openWorkspace({ root, dataDir });
  const client = new CodeLabClient({
    ...{ url: config.url, token, sessionId: session, model, vocabulary, backoff: BACKOFF },
    clientId: await clientIdFor(dataDir, root),
    client: { name: 'chaos', version: '1.0.0' },
    workspace: { id: session, name: session, root },
    journalDir: `${dataDir}/journals`,
    executor: recordRuns(workspaceExecutor(workspace), { observer, session, record }),
    localPolicy: openLocalPolicy({ dataDir }),
    approve: scriptedHuman({ observer, session, record }),
    openSocket: recordSocket({ observer, record }),
    onProblem: ({ event, message }) => record({ kind: 'note', text: `${observer}: ${event}: ${message}` }),
  });
  clients.set(session, client);
  await client.connect();
}

async function obey(command: ClientCommand): Promise<void> {
  switch (command.do) {
    case 'open':
      return open(command.session);
    case 'say': {
      const { session, messageId, content, model } = command;
      const whenBusy = command.whenBusy as 'enqueue' | 'steer' | 'interrupt' | undefined;
      await clients.get(session)?.sendMessage(content, { messageId, whenBusy, model });
      return;
    }
    case 'cancel':
      await clients.get(command.session)?.cancel(command.turnId);
      return;
    case 'close':
      await Promise.all([...clients.values()].map((client) => client.close()));
      process.exit(0);
  }
}

const failed = (error: unknown): void => record({ kind: 'note', text: `${config.name}: ${String(error)}` });

createInterface({ input: process.stdin })
  .on('line', (line) => {
    if (config !== undefined) return void obey(JSON.parse(line) as ClientCommand).catch(failed);
    config = JSON.parse(line) as ClientConfig;
    clock = startRunClock(BigInt(config.origin));
    for (const session of config.sessions) void open(session).catch(failed);
  })
  .on('close', () => process.exit(0));
