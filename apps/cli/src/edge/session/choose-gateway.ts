import { readFile } from 'node:fs/promises';
import { CommandError, TokenError } from '../../core/command-error.js';
import { readCliConfig, type CliConfig } from '../config.js';
import { localToken } from '../local-token.js';
import { readSettings } from '../user-config/read-settings.js';
import { LocalGateway } from '../stack/local-gateway.js';
import type { Gateway } from './gateway.js';

/** Options by which a command names a gateway and the token for it. */
export interface GatewayOptions {
  /** `local`: the services of this machine, whatever the settings say. */
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

const LOOPBACK = /^(localhost|127(\.\d+){3}|\[::1\])$/;

/** The options with the gateway of the settings where none is named. */
export function withUsualGateway<T extends GatewayOptions>(options: T): T {
  const url = options.url ?? readSettings().gateway;
  return { ...options, url: url === 'local' ? undefined : url };
}

/**
 * The gateway that was named, or the local stack, which is started if none runs. Throws `CommandError` with what to do.
 * @param mayRestart asks whether a stack that runs with other settings than ours may be started again; without it that is only said
 */
export async function chooseGateway(
  given: GatewayOptions,
  say: (text: string) => void,
  mayRestart?: (why: string) => Promise<boolean>,
): Promise<Gateway> {
  const options = withUsualGateway(given);
  const config = readCliConfig();
  const named = await givenToken(options, config);
  if (options.url === undefined) {
    const { useMatchingStack } = await import('../stack/use-matching-stack.js');
    return new LocalGateway(config.dataDir, await useMatchingStack(config, say, mayRestart), named);
  }
  const address = parseAddress(options.url);
  if (named === undefined && !LOOPBACK.test(address.hostname))
    throw new TokenError(`${address.host} needs a token: set CODELAB_TOKEN, or name a file that holds it with --token-file.`, 2);
  const token = named ?? (await localToken(config));
  const ws = address.href.replace(/\/$/, '');
  const http = `${address.protocol === 'wss:' ? 'https' : 'http'}://${address.host}`;
  const llmProxy = config.llmProxyUrl?.replace(/\/$/, '');
  return { ws, http, token, llmProxy, place: ws, follow: () => Promise.resolve(), stop: () => undefined };
}

/** The same without starting anything: for looking at what is there. */
export async function findGateway(given: GatewayOptions): Promise<Gateway> {
  const options = withUsualGateway(given);
  if (options.url !== undefined) return chooseGateway(options, () => undefined);
  const { findLocalStack } = await import('@codelab/client/local-stack');
  const config = readCliConfig();
  const { dataDir } = config;
  const record = await findLocalStack(dataDir);
  if (!record) return chooseGateway(options, () => undefined);
  return new LocalGateway(dataDir, { record, stop: () => undefined }, await givenToken(options, config));
}

function parseAddress(text: string): URL {
  let address: URL;
  try {
    address = new URL(text);
  } catch {
    throw new CommandError(`--url ${text} is no address: give one such as ws://127.0.0.1:8000.`, 2);
  }
  if (address.protocol === 'http:' || address.protocol === 'https:') address = new URL(text.replace(/^http/, 'ws'));
  if (address.protocol !== 'ws:' && address.protocol !== 'wss:')
    throw new CommandError(`--url ${text} must begin with ws:// or wss://.`, 2);
  if (address.pathname === '/') address.pathname = '/ws';
  return address;
}
