import { isIP } from 'node:net';
import type { BlockList } from 'node:net';
import { blockList, isIn } from './public-address.js';

/** Where a connection goes: the host as the URL names it, the address that it stands for, and the port. */
export interface EgressTarget {
  /** Lower case, an IPv6 address without brackets. */
  readonly hostname: string;
  readonly address: string;
  readonly port: number;
}

/** Private addresses that may be reached all the same. */
export interface EgressAllow {
  allows(target: EgressTarget): boolean;
}

const HOST_NAME = /^(?=.{1,253}$)[a-z0-9_]([a-z0-9_-]*[a-z0-9_])?(\.[a-z0-9_]([a-z0-9_-]*[a-z0-9_])?)*$/;
const AUTHORITY = /^(?:\[(?<ipv6>[^\]]+)\]|(?<host>[^:]+))(?::(?<port>\d{1,5}))?$/;

type Entry = (target: EgressTarget) => boolean;

const toBlock = (entry: string): Entry | undefined => {
  const [, address = '', bits = ''] = /^([^/]+)\/(\d{1,3})$/.exec(entry) ?? [];
  const family = isIP(address);
  if (family === 0 || Number(bits) > (family === 6 ? 128 : 32)) return undefined;
  const list: BlockList = blockList([entry]);
  return (target) => isIn(list, target.address);
};

const toHost = (entry: string): Entry | undefined => {
  const { ipv6, host, port } = AUTHORITY.exec(isIP(entry) === 6 ? `[${entry}]` : entry)?.groups ?? {};
  const name = ipv6 ?? host ?? '';
  if (Number(port ?? 1) < 1 || Number(port ?? 1) > 65_535) return undefined;
  const fitsPort: Entry = (target) => port === undefined || target.port === Number(port);
  if (isIP(name) !== 0) {
    const list = blockList([`${name}/${isIP(name) === 6 ? '128' : '32'}`]);
    return (target) => fitsPort(target) && isIn(list, target.address);
  }
  if (ipv6 !== undefined || !HOST_NAME.test(name) || /^[\d.]+$/.test(name)) return undefined;
  return (target) => fitsPort(target) && target.hostname === name;
};

/**
 * Reads `CODELAB_EGRESS_ALLOW`: entries `host:port`, `host` (a name or an address) or a CIDR block, comma-separated. A name allows whatever
 * address it stands for. Throws an error that names the entry.
 */
export function parseEgressAllow(text: string): EgressAllow {
  const entries = text
    .split(',')
    .map((entry) => entry.trim().toLowerCase())
    .filter((entry) => entry !== '')
    .map((entry) => {
      const parsed = entry.includes('/') ? toBlock(entry) : toHost(entry);
      if (parsed !== undefined) return parsed;
      throw new Error(`${JSON.stringify(entry)} is none of host, host:port and CIDR block; write it like 127.0.0.1:9000 or 10.0.0.0/8`);
    });
  return { allows: (target) => entries.some((entry) => entry(target)) };
}
