import { stackFileOf, type StackRecord } from '@codelab/client/local-stack';
import { randomBytes } from 'node:crypto';
import { rename, rm, writeFile } from 'node:fs/promises';

/** Writes the record of the running stack, readable by its owner alone: it holds the token. */
async function writeStackFile(dataDir: string, record: StackRecord): Promise<void> {
  const draft = `${stackFileOf(dataDir)}.${randomBytes(4).toString('hex')}`;
  await writeFile(draft, `${JSON.stringify(record)}\n`, { mode: 0o600 });
  await rename(draft, stackFileOf(dataDir));
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
      await rm(stackFileOf(dataDir), { force: true });
    },
  };
}
