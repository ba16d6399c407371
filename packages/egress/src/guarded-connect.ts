import { lookup as systemLookup, type LookupAddress, type LookupOptions } from 'node:dns';
import { isIP } from 'node:net';
import { buildConnector } from 'undici';
import type { EgressAllow, EgressTarget } from './egress-allow.js';
import { EgressError, notPublic } from './egress-error.js';
import { isPublicAddress } from './public-address.js';

/** Every address of a host. `node:dns` has it as `lookup` with `all`. */
export type Resolve = (
  hostname: string,
  options: LookupOptions & { all: true },
  done: (error: NodeJS.ErrnoException | null, addresses: LookupAddress[]) => void,
) => void;

export interface GuardedConnectOptions {
  readonly allow: EgressAllow;
  /** How long a connection may take to stand, in milliseconds. */
  readonly timeoutMs: number;
  readonly resolve?: Resolve;
}

type LookupDone = (error: Error | null, address: string | LookupAddress[], family?: number) => void;

/** The host of a URL as name servers and sockets take it. */
export const bareHost = (hostname: string): string => hostname.replace(/^\[|\]$/g, '').toLowerCase();

/** The port of a URL, its scheme's own where it names none. */
export const portOf = (port: string, protocol: string): number => Number(port) || (protocol === 'https:' ? 443 : 80);

/** Whether an address may be connected to: it is public, or the operator allows it. */
export const mayReach = (target: EgressTarget, allow: EgressAllow): boolean => isPublicAddress(target.address) || allow.allows(target);

/**
 * How connections are made: a host is resolved once, each of its addresses is judged, and the socket goes to one of those very addresses, so
 * that a name that answers differently the second time gains nothing (DNS rebinding). One forbidden address among several forbids the host.
 */
export function guardedConnect({ allow, timeoutMs, resolve = systemLookup }: GuardedConnectOptions): buildConnector.connector {
  return (options, callback) => {
    const hostname = bareHost(options.hostname);
    const port = portOf(options.port, options.protocol);
    const isOpen = (address: string): boolean => mayReach({ hostname, address, port }, allow);
    const refusal = (): EgressError => notPublic(hostname);
    if (isIP(hostname) !== 0 && !isOpen(hostname)) return callback(refusal(), null);

    const lookup = (name: string, wanted: LookupOptions, done: LookupDone): void =>
      resolve(name, { ...wanted, all: true }, (error, addresses) => {
        const [first] = addresses ?? [];
        if (error !== null || first === undefined) return done(new EgressError('failed', `${hostname} is not known`), '');
        if (!addresses.every(({ address }) => isOpen(address))) return done(refusal(), '');
        return wanted.all === true ? done(null, addresses) : done(null, first.address, first.family);
      });
    const connect = buildConnector({ lookup, timeout: timeoutMs, allowH2: false });
    connect(options, (...[error, socket]) => {
      if (error !== null) return callback(error, null);
      const { remoteAddress = '' } = socket;
      if (isOpen(remoteAddress)) return callback(null, socket);
      socket.destroy();
      return callback(refusal(), null);
    });
  };
}
