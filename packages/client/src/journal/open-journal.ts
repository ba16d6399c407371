import { createHash } from 'node:crypto';
import { mkdir, readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { claimFile } from './claim-file.js';
import { Journal } from './journal.js';

/** A journal that this process alone may write; `busy`: process `pid` of this machine, or of one that shares the folder, has it. */
export type OpenedJournal =
  | {
      readonly kind: 'open';
      readonly journal: Journal;
      /** Journals that are long over are gone. */ readonly cleared: Promise<void>;
      close(): Promise<void>;
    }
  | { readonly kind: 'busy'; readonly pid: number };

/** A journal that nobody has written for so long belongs to no open call: servers end a turn after 30 days. */
const FORGOTTEN_MS = 35 * 24 * 60 * 60 * 1000;

/** One folder per session and client. Ids become a digest: they differ in case only, where file systems may not. */
const folderOf = (sessionId: string, clientId: string): string =>
  createHash('sha256').update(`${sessionId}\0${clientId}`).digest('hex').slice(0, 32);

const forgetOld = async (journalDir: string, own: string): Promise<void> => {
  for (const name of await readdir(journalDir)) {
    const folder = join(journalDir, name);
    const written = await stat(join(folder, 'calls.ndjson')).then(
      ({ mtimeMs }) => mtimeMs,
      () => Infinity, // no journal, or gone: not ours to remove
    );
    if (name === own || Date.now() - written < FORGOTTEN_MS) continue;
    const claim = await claimFile(join(folder, 'calls.ndjson'));
    if (claim.kind === 'busy') continue;
    await rm(folder, { recursive: true, force: true });
    await claim.release();
  }
};

/**
 * Opens the journal of one session and client, if no other live process has it: what one process began, another must not judge while the
 * first still works on it (R2). Journals of sessions that are long over are cleared away.
 *
 * @throws the file system's error, if the folder can't be made or written
 */
export async function openJournal(options: {
  readonly journalDir: string;
  readonly sessionId: string;
  readonly clientId: string;
  readonly onProblem: (error: Error) => void;
}): Promise<OpenedJournal> {
  const own = folderOf(options.sessionId, options.clientId);
  const folder = join(options.journalDir, own);
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const claim = await claimFile(join(folder, 'calls.ndjson'));
  if (claim.kind === 'busy') return claim;
  try {
    const journal = await Journal.open(folder, { onProblem: options.onProblem });
    const cleared = forgetOld(options.journalDir, own).catch(options.onProblem);
    return {
      kind: 'open',
      journal,
      cleared,
      close: async () => {
        await cleared;
        await journal.close();
        await claim.release();
      },
    };
  } catch (error) {
    await claim.release();
    throw error;
  }
}
