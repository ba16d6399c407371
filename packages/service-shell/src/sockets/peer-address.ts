import { BlockList, isIP, isIPv4, isIPv6 } from 'node:net';
import type { IncomingMessage } from 'node:http';

/** An address or a CIDR block. */
const BLOCK = /^(?<address>[0-9a-f:.]+)(?:\/(?<bits>\d{1,3}))?$/i;

const familyOf = (address: string): 'ipv4' | 'ipv6' => (isIPv4(address) ? 'ipv4' : 'ipv6');

/** Whether a text is an address or a CIDR block, such as `10.0.0.0/8`. */
export function isAddressBlock(text: unknown): boolean {
  const { address = '', bits = '0' } = (typeof text === 'string' ? BLOCK.exec(text)?.groups : undefined) ?? {};
  return isIP(address) !== 0 && Number(bits) <= (isIPv4(address) ? 32 : 128);
}

/** Judges whether an address is that of a proxy of ours. */
export function trustedAddresses(blocks: readonly string[]): (address: string) => boolean {
  const list = new BlockList();
  for (const block of blocks) {
    const { address = '', bits } = BLOCK.exec(block)?.groups ?? {};
    if (bits === undefined) list.addAddress(address, familyOf(address));
    else list.addSubnet(address, Number(bits), familyOf(address));
  }
  return (address) => isIP(address) !== 0 && list.check(address, familyOf(address));
}

/** An IPv4 address in the form of IPv6 is one and the same peer; a zone says nothing of who it is. */
export const plainAddress = (address: string): string => address.replace(/%.*$/, '').replace(/^::ffff:(?=\d+\.)/i, '');

/** Who counts as one peer: an IPv4 address, or a /64 of IPv6, which one customer has whole. Without an address: the same machine. */
export function peerOf(address: string | undefined): string {
  const plain = plainAddress(address ?? '');
  if (!isIPv6(plain)) return plain === '' ? 'local' : plain;
  const [head = '', tail] = plain.split('::');
  const groups = head === '' ? [] : head.split(':');
  const behind = tail === undefined || tail === '' ? 0 : tail.split(':').length;
  const filled =
    tail === undefined ? groups : [...groups, ...Array<string>(Math.max(8 - groups.length - behind, 0)).fill('0'), ...tail.split(':')];
  return `${filled
    .slice(0, 4)
    .map((group) => (Number.parseInt(group, 16) || 0).toString(16))
    .join(':')}::/64`;
}

/** The client behind proxies that are trusted: the last of `X-Forwarded-For` that is none of them; what a client wrote itself stands before. */
export function forwardedFor({ headers, socket }: IncomingMessage, isTrusted: (address: string) => boolean): string {
  const header = headers['x-forwarded-for'];
  const hops = (typeof header === 'string' ? header : '')
    .split(',')
    .map((hop) => plainAddress(hop.trim().replace(/^\[(.*)\](?::\d+)?$/, '$1')));
  let client = plainAddress(socket.remoteAddress ?? '');
  for (const hop of hops.reverse()) {
    if (!isTrusted(client) || isIP(hop) === 0) break;
    client = hop;
  }
  return client;
}

/** Whether a request came by TLS: to this process, or to a proxy that is trusted and says so. */
export function cameByTls({ headers, socket }: IncomingMessage, isTrusted: (address: string) => boolean): boolean {
  if ('encrypted' in socket && socket.encrypted === true) return true;
  const header = headers['x-forwarded-proto'];
  const last = typeof header === 'string' ? header.split(',').at(-1)?.trim().toLowerCase() : undefined;
  return last === 'https' && isTrusted(plainAddress(socket.remoteAddress ?? ''));
}
