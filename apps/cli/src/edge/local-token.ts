import { parseTokens, readOrCreateToken } from '@codelab/service-shell';
import { CommandError } from '../core/command-error.js';

/** The token that clients on this machine present: the first plain one of `CODELAB_TOKENS`, else that of the data directory. */
export async function localToken({ tokens, dataDir }: { readonly tokens?: string | undefined; readonly dataDir: string }): Promise<string> {
  if (tokens === undefined) return readOrCreateToken(dataDir);
  parseTokens(tokens);
  const plain = tokens.split(',').find((entry) => entry.trim() !== '' && !entry.trim().startsWith('sha256:'));
  if (plain === undefined) throw new CommandError('CODELAB_TOKENS holds hashes only: use the token that one of them was made from.');
  return plain.trim().split('=')[0] ?? '';
}
