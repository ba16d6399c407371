import { readFile } from 'node:fs/promises';
import { CommandError } from '../../core/command-error.js';
import type { CliConfig } from '../config.js';

/** Options by which a command names a gateway and the token for it. */
export interface GatewayOptions {
  readonly url?: string | undefined;
  readonly token?: string | undefined;
  readonly tokenFile?: string | undefined;
}

/**
 * The token that the user gave, if any: `--token`, `--token-file`; and for a gateway that `--url` names `CODELAB_TOKEN`, `CODELAB_TOKEN_FILE`, which
 * don't count for the services of this machine. Throws `CommandError` if a file that is named holds none.
 */
export async function givenToken(
  { url, token, tokenFile }: GatewayOptions,
  config: Pick<CliConfig, 'token' | 'tokenFile'>,
): Promise<string | undefined> {
  if (token !== undefined && tokenFile !== undefined) throw new CommandError('Give --token or --token-file, one of them.', 2);
  if (token !== undefined) return token;
  if (tokenFile !== undefined) return readTokenFile(tokenFile, '--token-file');
  if (url === undefined) return undefined;
  return config.token ?? (config.tokenFile === undefined ? undefined : readTokenFile(config.tokenFile, 'CODELAB_TOKEN_FILE'));
}

async function readTokenFile(path: string, name: string): Promise<string> {
  const text = await readFile(path, 'utf8').catch((cause: NodeJS.ErrnoException) => {
    throw new CommandError(`${name} ${path} can't be read (${cause.code ?? 'unknown reason'}): name a file that holds the token.`, 2, {
      cause,
    });
  });
  const token = text.trim();
  if (token === '' || /\s/.test(token)) throw new CommandError(`${name} ${path} holds no token: it has to be one, alone in the file.`, 2);
  return token;
}
