import { ALL_SCOPES, type ApiKey } from '@codelab/auth';
import { hashToken, parseTokens } from './parse-tokens.js';
import { localOwner, readOrCreateToken } from './token-file.js';

interface TokenSources {
  /** The text of `CODELAB_TOKENS`; unset or empty: the token of the data directory, generated if need be, with all scopes. */
  readonly tokens?: string | undefined;
  readonly dataDir: string;
}

/** Every API key that counts, as hashes. Throws `ConfigError` or a sentence about the data directory. */
export async function loadTokens({ tokens, dataDir }: TokenSources): Promise<readonly ApiKey[]> {
  if (tokens !== undefined && tokens.trim() !== '') return parseTokens(tokens);
  return [{ sha256: hashToken(await readOrCreateToken(dataDir)), ...localOwner(), scopes: ALL_SCOPES }];
}
