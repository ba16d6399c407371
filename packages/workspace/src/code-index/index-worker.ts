/** Runs in a thread of its own: all that an index reads, parses and stores. */
import { readlinkSync } from 'node:fs';
import { setPriority } from 'node:os';
import { basename } from 'node:path';
import { parentPort, workerData } from 'node:worker_threads';
import { findWorkspaceRoot } from '../files/paths/workspace-root.js';
import { IndexService } from './index-service.js';
import type { FromWorker, IndexSetup, ToWorker } from './messages.js';

/** People and their tools come first. */
const NICENESS = 5;

try {
  if (process.platform === 'linux') setPriority(Number(basename(readlinkSync('/proc/thread-self'))), NICENESS);
} catch {
  // a system that doesn't let us: it is only a courtesy
}

const port = parentPort!;
const send = (message: FromWorker): void => port.postMessage(message);
const setup = workerData as IndexSetup;
const service = new IndexService(await findWorkspaceRoot(setup.root, setup.dataDir), setup, send);
port.on('message', (message: ToWorker) => {
  if (message.kind === 'touch') service.touch(message.paths);
  else if (message.kind === 'embedded') service.embedded(message);
  else
    void service
      .answer(message)
      .then((answer) => send({ kind: 'answer', id: message.id, answer }))
      .catch((error: unknown) => send({ kind: 'fault', id: message.id, message: error instanceof Error ? error.message : String(error) }))
      .finally(() => message.kind === 'close' && port.close());
});
service.begin();
