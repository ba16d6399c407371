import { randomBytes } from 'node:crypto';
import { readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parseStackRecord, type StackRecord } from '../../core/stack/stack-info.js';

const pathIn = (dataDir: string) => join(dataDir, 'stack.json');

/** Writes the record of the running stack, readable by its owner alone: it holds the token. */
async function writeStackFile(dataDir: string, record: StackRecord): Promise<void> {
  const draft = `${pathIn(dataDir)}.${randomBytes(4).toString('hex')}`;
  await writeFile(draft, `${JSON.stringify(record)}\n`, { mode: 0o600 });
  await rename(draft, pathIn(dataDir));
}

/** The record, or nothing if there is none that can be read. */
export async function readStackFile(dataDir: string): Promise<StackRecord | undefined> {
  const text = await readFile(pathIn(dataDir), 'utf8').catch(() => ''); // none is the usual case
  return parseStackRecord(text);
}

/** The file of a stack that runs: `update` writes its present record, in order; `remove` ends that and takes the file away. */
export function publishStack(dataDir: string, record: () => StackRecord, onError: (error: unknown) => void) {
  let last: Promise<void> = Promise.resolve();
  let removed = false;
  return {
    update: () => {
      if (!removed) last = last.then(() => writeStackFile(dataDir, record())).catch(onError);
      return last;
    },
    remove: async () => {
      removed = true;
      await last;
      await rm(pathIn(dataDir), { force: true });
    },
  };
}
