import { CommandError } from '../../core/command-error.js';
import { readCliConfig } from '../config.js';
import { localToken } from '../local-token.js';
import { LocalGateway } from '../stack/local-gateway.js';
import type { Gateway } from './gateway.js';
import { givenToken, type GatewayOptions } from './given-token.js';

export type { GatewayOptions };

const LOOPBACK = /^(localhost|127(\.\d+){3}|\[::1\])$/;

/**
 * The gateway that was named, or the local stack, which is started if none runs. Throws `CommandError` with what to do.
 * @param mayRestart asks whether a stack that runs with other settings than ours may be started again; without it that is only said
 */
export async function chooseGateway(
  options: GatewayOptions,
  say: (text: string) => void,
  mayRestart?: (why: string) => Promise<boolean>,
): Promise<Gateway> {
  const config = readCliConfig();
  const given = await givenToken(options, config);
  if (options.url === undefined) {
    const { useMatchingStack } = await import('../stack/use-matching-stack.js');
    return new LocalGateway(config.dataDir, await useMatchingStack(config, say, mayRestart), given);
  }
  const address = parseAddress(options.url);
  if (given === undefined && !LOOPBACK.test(address.hostname))
    throw new CommandError(`${address.host} needs a token: set CODELAB_TOKEN, or name a file that holds it with --token-file.`, 2);
  const token = given ?? (await localToken(config));
  const ws = address.href.replace(/\/$/, '');
  const http = `${address.protocol === 'wss:' ? 'https' : 'http'}://${address.host}`;
  return { ws, http, token, place: ws, follow: () => Promise.resolve(), stop: () => undefined };
}

/** The same without starting anything: for looking at what is there. */
export async function findGateway(options: GatewayOptions): Promise<Gateway> {
  if (options.url !== undefined) return chooseGateway(options, () => undefined);
  const { findLocalStack } = await import('../stack/local-stack.js');
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
