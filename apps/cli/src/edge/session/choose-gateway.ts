import { CommandError } from '../../core/command-error.js';
import { readCliConfig } from '../config.js';
import { localToken } from '../local-token.js';

/** Where the session lives, and what to show there. `stop` lets go of services that were started for this command. */
export interface Gateway {
  /** `ws://host:port/ws`, without the session. */
  readonly ws: string;
  /** `http://host:port`, for REST. */
  readonly http: string;
  readonly token: string;
  /** Names the place over restarts: `local`, or the address. */
  readonly place: string;
  readonly stop: () => void;
}

export interface GatewayOptions {
  readonly url?: string | undefined;
  readonly token?: string | undefined;
}

const LOOPBACK = /^(localhost|127(\.\d+){3}|\[::1\])$/;

/** The gateway that was named, or the local stack, which is started if none runs. Throws `CommandError` with what to do. */
export async function chooseGateway(options: GatewayOptions, say: (text: string) => void): Promise<Gateway> {
  const config = readCliConfig();
  if (options.url === undefined) {
    const { useLocalStack } = await import('../stack/local-stack.js');
    const stack = await useLocalStack(config.dataDir, say);
    const { info } = stack;
    const { ws, url } = info.gateways[0]!;
    return { ws, http: url, token: options.token ?? info.token, place: 'local', stop: () => stack.stop() };
  }
  const address = parseAddress(options.url);
  if (options.token === undefined && !LOOPBACK.test(address.hostname))
    throw new CommandError(`${address.host} needs a token: give it with --token.`, 2);
  const token = options.token ?? (await localToken(config));
  const ws = address.href.replace(/\/$/, '');
  return { ws, http: `${address.protocol === 'wss:' ? 'https' : 'http'}://${address.host}`, token, place: ws, stop: () => undefined };
}

/** The same without starting anything: for looking at what is there. */
export async function findGateway(options: GatewayOptions): Promise<Gateway> {
  if (options.url !== undefined) return chooseGateway(options, () => undefined);
  const { findLocalStack } = await import('../stack/local-stack.js');
  const found = await findLocalStack(readCliConfig().dataDir);
  if (!found) return chooseGateway(options, () => undefined);
  const { ws, url } = found.gateways[0]!;
  return { ws, http: url, token: options.token ?? found.token, place: 'local', stop: () => undefined };
}

function parseAddress(text: string): URL {
  let address: URL;
  try {
    address = new URL(text);
  } catch {
    throw new CommandError(`--url ${text} is no address: give one such as ws://127.0.0.1:8000/ws.`, 2);
  }
  if (address.protocol === 'http:' || address.protocol === 'https:') address = new URL(text.replace(/^http/, 'ws'));
  if (address.protocol !== 'ws:' && address.protocol !== 'wss:')
    throw new CommandError(`--url ${text} must begin with ws:// or wss://.`, 2);
  if (address.pathname === '/') address.pathname = '/ws';
  return address;
}
