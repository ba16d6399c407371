import { hashToken, parseTokens } from '@codelab/service-shell';
import { CommandError } from '../../core/command-error.js';
import type { CliConfig } from '../config.js';
import { localToken } from '../local-token.js';
import { givenToken } from '../session/choose-gateway.js';

/** Who may speak to the endpoint. */
export interface EndpointAccess {
  readonly tokenDigests: readonly string[];
  /** Tokens that this process knows in the clear: they never leave it. */
  readonly secrets: readonly string[];
  /** How a person gets one. */
  readonly hint: string;
}

/** Tokens of the endpoint: that of a file, those of `CODELAB_TOKENS` that may run tools, else that of the data directory. */
export async function endpointAccess(tokenFile: string | undefined, config: CliConfig): Promise<EndpointAccess> {
  const named = tokenFile === undefined ? undefined : await givenToken({ tokenFile }, config);
  if (named !== undefined) return { tokenDigests: [hashToken(named)], secrets: [named], hint: `it is in ${tokenFile!}` };
  if (config.tokens !== undefined) {
    const may = parseTokens(config.tokens).filter(({ scopes }) => scopes.includes('tools:run'));
    if (may.length === 0) throw new CommandError('None of CODELAB_TOKENS may run tools: one needs the scope tools:run.', 2);
    return { tokenDigests: may.map(({ sha256 }) => sha256), secrets: [], hint: 'one of CODELAB_TOKENS' };
  }
  const token = await localToken(config);
  return { tokenDigests: [hashToken(token)], secrets: [token], hint: '`codelab token` prints it' };
}

/** Where to listen. */
export interface Address {
  readonly host: string;
  readonly port: number;
}

/** Reads `[HOST:]PORT`; without a host it is this machine alone. Throws `CommandError`. */
export function readAddress(text: string): Address {
  const { host = '127.0.0.1', port = '' } = /^(?:(?<host>\[[0-9a-fA-F:.]+\]|[^:\s]+):)?(?<port>\d{1,5})$/.exec(text)?.groups ?? {};
  const number = Number(port);
  if (port === '' || number > 65_535) throw new CommandError(`--http takes [HOST:]PORT, such as 8900 or 127.0.0.1:8900, not ${text}.`, 2);
  return { host: host.replace(/^\[|\]$/g, ''), port: number };
}

/** Whether only this machine can reach it. */
export const isLoopback = (host: string): boolean => host === 'localhost' || host === '::1' || host.startsWith('127.');
