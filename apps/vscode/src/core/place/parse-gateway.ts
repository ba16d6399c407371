import { PlaceError } from './place.js';

/** The addresses of a gateway that a person named. */
export interface GatewayAddress {
  readonly ws: string;
  readonly http: string;
  /** It is this very machine. */
  readonly isLoopback: boolean;
}

const LOOPBACK = /^(localhost|127(\.\d+){3}|\[::1\])$/;

/**
 * Reads `wss://host`, `https://host/` and the like.
 *
 * @throws PlaceError with what is wrong with it; an address that isn't this machine's must be encrypted, as a token goes there
 */
export function parseGateway(text: string): GatewayAddress {
  const given = text.trim();
  let url: URL;
  try {
    url = new URL(given.replace(/^http/, 'ws'));
  } catch {
    throw new PlaceError('failed', `"${given}" is no address: give one such as wss://codelab.example.com.`);
  }
  if (url.protocol !== 'ws:' && url.protocol !== 'wss:')
    throw new PlaceError('failed', `The address ${given} must begin with wss:// or https://.`);
  const isLoopback = LOOPBACK.test(url.hostname);
  if (url.protocol === 'ws:' && !isLoopback)
    throw new PlaceError('failed', `${url.host} would be spoken to without encryption: use wss:// or https://.`);
  if (url.pathname === '/') url.pathname = '/ws';
  url.search = '';
  url.hash = '';
  const http = `${url.protocol === 'wss:' ? 'https' : 'http'}://${url.host}`;
  return { ws: url.href.replace(/\/$/, ''), http, isLoopback };
}
