import { randomUUID } from 'node:crypto';
import { mkdir, readdir, readFile, rename, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { processBirth } from './process-birth.js';

/** Who claims a file. */
interface Claimant {
  readonly pid: number;
  readonly birth: string;
  readonly host: string;
}

/** What came of a claim. `busy`: another live process has it. */
export type Claimed = { readonly kind: 'held'; release(): Promise<void> } | { readonly kind: 'busy'; readonly pid: number };

/** How often a claim is refreshed, and after what age one of another host, whose processes can't be seen, counts as dead. */
const REFRESH_MS = 15_000;
const FOREIGN_DEAD_MS = 60_000;

const SUFFIX = '.claim';

const parse = (text: string): Claimant | undefined => {
  try {
    const { pid, birth, host } = JSON.parse(text) as Partial<Claimant>;
    return typeof pid === 'number' && typeof birth === 'string' && typeof host === 'string' ? { pid, birth, host } : undefined;
  } catch {
    return undefined; // not a claim of ours: dead
  }
};

const isAlive = async (claimant: Claimant, file: string): Promise<boolean> => {
  if (claimant.host === hostname()) return (await processBirth(claimant.pid)) === claimant.birth;
  const age = await stat(file).then(
    ({ mtimeMs }) => Date.now() - mtimeMs,
    () => Infinity, // released meanwhile
  );
  return age < FOREIGN_DEAD_MS;
};

/** The live claimants beside `own`; the files of dead ones are cleared away. A dead process never comes back, so nothing is lost by that. */
const findOthers = async (directory: string, own: string): Promise<readonly Claimant[]> => {
  const others: Claimant[] = [];
  for (const name of await readdir(directory)) {
    if (!name.endsWith(SUFFIX) || name === own) continue;
    const file = join(directory, name);
    const claimant = parse(await readFile(file, 'utf8').catch(() => ''));
    if (claimant !== undefined && (await isAlive(claimant, file))) others.push(claimant);
    else await rm(file, { force: true });
  }
  return others;
};

/**
 * Claims `path` for this process, exclusively among all live processes: each claimant puts a file of its own into `<path>.claims`, then
 * looks whether anybody else is there, and withdraws if so. Of two the later one always sees the earlier one, so two never hold it; nobody
 * takes away the file of another live one, so a crash between any two steps leaves only a dead file. Two at the same instant may both
 * withdraw: try again later.
 */
export async function claimFile(path: string): Promise<Claimed> {
  const directory = `${path}.claims`;
  await mkdir(directory, { recursive: true, mode: 0o700 });
  const own = `${randomUUID()}${SUFFIX}`;
  const file = join(directory, own);
  const claimant: Claimant = { pid: process.pid, birth: (await processBirth(process.pid)) ?? '', host: hostname() };
  await writeFile(`${file}.new`, JSON.stringify(claimant), { mode: 0o600 });
  await rename(`${file}.new`, file);
  const [other] = await findOthers(directory, own);
  if (other !== undefined) {
    await rm(file, { force: true });
    return { kind: 'busy', pid: other.pid };
  }
  const refresh = setInterval(() => {
    const now = new Date();
    utimes(file, now, now).catch(() => undefined); // the next refresh tries again
  }, REFRESH_MS);
  refresh.unref();
  return {
    kind: 'held',
    release: async () => {
      clearInterval(refresh);
      await rm(file, { force: true });
    },
  };
}
