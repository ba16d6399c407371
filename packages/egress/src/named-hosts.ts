import type { EgressAllow } from './egress-allow.js';
import { bareHost, portOf } from './guarded-connect.js';

/**
 * Allows the hosts of URLs, each at the port of its URL and under the very name that stands there: for what an operator names in a file of theirs.
 * @param beside what is allowed anyway
 */
export function allowHostsOf(urls: readonly string[], beside?: EgressAllow): EgressAllow {
  const named = new Set(
    urls.map((url) => new URL(url)).map(({ hostname, port, protocol }) => key(bareHost(hostname), portOf(port, protocol))),
  );
  return { allows: (target) => named.has(key(target.hostname, target.port)) || beside?.allows(target) === true };
}

const key = (hostname: string, port: number): string => `${hostname} ${String(port)}`;
