import { mkdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { unlessMissing } from '../backups/blob-store.js';
import { writeDurably } from '../backups/write-durably.js';

/** Secrets of one user that may be shown: more than anybody has looked at one by one. */
const MAX_ALLOWED = 1_000;

const fileOf = (dataDir: string): string => join(dataDir, 'secrets.json');

const FINGERPRINT = /^[0-9a-f]{12}$/;

const parse = (text: string, file: string): readonly string[] => {
  const fail = (what: string): never => {
    throw new Error(`${file}: ${what}. Correct it or remove the file; until then every secret is masked.`);
  };
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return fail('it is not JSON');
  }
  const { allowed, ...unknown } = (typeof value === 'object' && value !== null ? value : {}) as Record<string, unknown>;
  if (Object.keys(unknown).length > 0) fail(`${Object.keys(unknown)[0] ?? ''} is no setting; there is allowed`);
  if (!Array.isArray(allowed) || !allowed.every((each): each is string => typeof each === 'string' && FINGERPRINT.test(each)))
    return fail('allowed is a list of fingerprints, 12 hex digits each');
  return allowed;
};

/**
 * The fingerprints of secrets that the user of this machine lets models read; everything else that looks like a secret is masked. They
 * stand in `secrets.json` of the data directory, which no tool writes.
 *
 * @throws Error with a sentence for the user, if the file says something else
 */
export async function readAllowedSecrets(dataDir: string): Promise<ReadonlySet<string>> {
  const file = fileOf(dataDir);
  const text = await unlessMissing(readFile(file, 'utf8'));
  return new Set(text === undefined ? [] : parse(text, file));
}

const change = async (dataDir: string, to: (allowed: ReadonlySet<string>) => readonly string[]): Promise<void> => {
  const allowed = to(await readAllowedSecrets(dataDir)).slice(-MAX_ALLOWED);
  await mkdir(dataDir, { recursive: true, mode: 0o700 });
  await writeDurably(fileOf(dataDir), `${JSON.stringify({ allowed }, null, 2)}\n`);
};

/**
 * Lets models read the secret with this fingerprint, which a mask names.
 *
 * @throws Error with a sentence for the user
 */
export async function allowSecret(dataDir: string, fingerprint: string): Promise<void> {
  if (!FINGERPRINT.test(fingerprint)) throw new Error(`${fingerprint} is no fingerprint of a secret: 12 hex digits, as a mask shows them.`);
  await change(dataDir, (allowed) => [...[...allowed].filter((other) => other !== fingerprint), fingerprint]);
}

/** Masks it again. */
export const maskSecretAgain = (dataDir: string, fingerprint: string): Promise<void> =>
  change(dataDir, (allowed) => [...allowed].filter((other) => other !== fingerprint));
