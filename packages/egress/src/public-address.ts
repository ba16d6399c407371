import { BlockList, isIP } from 'node:net';

/** Blocks of IPv4 that are not the public Internet (IANA's special-purpose registry, RFC 6890), and multicast. */
const SPECIAL_IPV4 = [
  '0.0.0.0/8', // this network
  '10.0.0.0/8', // private
  '100.64.0.0/10', // carriers' own
  '127.0.0.0/8', // loopback
  '169.254.0.0/16', // link-local: clouds serve their metadata there
  '172.16.0.0/12', // private
  '192.0.0.0/24', // protocol assignments
  '192.0.2.0/24', // documentation
  '192.31.196.0/24', // AS112
  '192.52.193.0/24', // AMT
  '192.88.99.0/24', // 6to4 relays
  '192.168.0.0/16', // private
  '192.175.48.0/24', // AS112
  '198.18.0.0/15', // benchmarks
  '198.51.100.0/24', // documentation
  '203.0.113.0/24', // documentation
  '224.0.0.0/4', // multicast
  '240.0.0.0/4', // reserved, and broadcast
];

/** The one block of IPv6 that is routed in public. Loopback, link-local, unique local, multicast, mapped IPv4 and NAT64 lie outside of it. */
const GLOBAL_IPV6 = '2000::/3';

/** Parts of it that are not: tunnels that carry an IPv4 address of anybody's choice, and documentation. */
const SPECIAL_IPV6 = ['2001::/23', '2001:db8::/32', '2002::/16', '2620:4f:8000::/48', '3fff::/20'];

/** A list of address blocks, as `node:net` checks them. */
export function blockList(blocks: readonly string[]): BlockList {
  const list = new BlockList();
  for (const block of blocks) {
    const [address = '', bits] = block.split('/');
    list.addSubnet(address, Number(bits), address.includes(':') ? 'ipv6' : 'ipv4');
  }
  return list;
}

const special = { 4: blockList(SPECIAL_IPV4), 6: blockList(SPECIAL_IPV6) };
const global = blockList([GLOBAL_IPV6]);

/** Whether an address is in one of the blocks. An address that carries a zone (`fe80::1%eth0`) is in none. */
export const isIn = (list: BlockList, address: string): boolean =>
  !address.includes('%') && isIP(address) !== 0 && list.check(address, isIP(address) === 6 ? 'ipv6' : 'ipv4');

/**
 * Whether an address is on the public Internet. Private, loopback, link-local (with the metadata services of clouds), carrier-grade NAT,
 * multicast, reserved and documentation addresses are not, nor is any IPv6 form that stands for an IPv4 address: mapped, compatible, 6to4,
 * Teredo, NAT64. What is no address at all is not public.
 */
export function isPublicAddress(address: string): boolean {
  const family = isIP(address);
  if (family === 4) return !isIn(special[4], address);
  return family === 6 && isIn(global, address) && !isIn(special[6], address);
}
