import type { WriteStream } from 'node:tty';
import { allowSecret, maskSecretAgain, readAllowedSecrets } from '@codelab/workspace';
import { CommandError } from '../../core/command-error.js';
import { span } from '../../core/text/span.js';
import { readCliConfig } from '../config.js';
import { printLines } from '../print-lines.js';

/** Prints the secrets that models may read, by their fingerprints: the secrets themselves are kept nowhere. */
export async function listSecrets(out: WriteStream): Promise<void> {
  const allowed = await heedFile(readAllowedSecrets(readCliConfig().dataDir));
  const none = [[span('No secret is shown to models: what looks like one is masked.')]];
  printLines(allowed.size === 0 ? none : [...allowed].map((fingerprint) => [span(fingerprint, 'strong')]), out);
}

/** Lets models read the secret that a mask stands for, from now on. */
export async function allow(fingerprint: string, out: WriteStream): Promise<void> {
  await heedFile(allowSecret(readCliConfig().dataDir, fingerprint));
  printLines([[span(`${fingerprint} is shown to models from now on. codelab secrets forget ${fingerprint} masks it again.`)]], out);
}

/** Masks a secret again. */
export async function forget(fingerprint: string, out: WriteStream): Promise<void> {
  const { dataDir } = readCliConfig();
  if (!(await heedFile(readAllowedSecrets(dataDir))).has(fingerprint))
    throw new CommandError(`${fingerprint} is not shown: \`codelab secrets\` lists what is.`);
  await heedFile(maskSecretAgain(dataDir, fingerprint));
  printLines([[span(`${fingerprint} is masked again.`)]], out);
}

/** What is wrong with the file, or with a fingerprint, is the user's to mend. */
const heedFile = <T>(work: Promise<T>): Promise<T> =>
  work.catch((error: Error) => {
    throw new CommandError(error.message, 1, { cause: error });
  });
