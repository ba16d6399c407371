import type { IncomingMessage } from 'node:http';
import { expect, test } from 'vitest';
import { verifies } from '@codelab/testkit';
import { forwardedFor, isAddressBlock, peerOf, trustedAddresses } from './peer-address.js';

test.each([
  ['203.0.113.7', '203.0.113.7'],
  ['::ffff:203.0.113.7', '203.0.113.7'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
  ['2001:DB8:1:2::1', '2001:db8:1:2::/64'],
  ['2001:db8:1:2:ffff::', '2001:db8:1:2::/64'],
  ['2001:db8::1', '2001:db8:0:0::/64'],
  ['2001:0db8:0001:0002::9', '2001:db8:1:2::/64'],
  ['fe80::1%eth0', 'fe80:0:0:0::/64'],
  ['::1', '0:0:0:0::/64'],
  [undefined, 'local'],
])(verifies('G1:peers', 'one peer is an IPv4 address or a /64 of IPv6: %s'), (address, peer) => {
  expect(peerOf(address)).toBe(peer);
});

const TRUSTED = trustedAddresses(['10.0.0.2', '172.16.0.0/12', 'fd00::/8']);
const behind = (remoteAddress: string, header?: string) =>
  forwardedFor({ headers: { 'x-forwarded-for': header }, socket: { remoteAddress } } as unknown as IncomingMessage, TRUSTED);

test.each([
  ['10.0.0.2', '203.0.113.7', '203.0.113.7'],
  ['::ffff:172.18.0.3', '203.0.113.7', '203.0.113.7'],
  ['10.0.0.2', '1.1.1.1, 203.0.113.7', '203.0.113.7'],
  ['10.0.0.2', '203.0.113.7, 172.18.0.3', '203.0.113.7'],
  ['fd00::5', '[2001:db8::1]:4711', '2001:db8::1'],
  ['203.0.113.9', '1.1.1.1', '203.0.113.9'],
  ['10.0.0.2', undefined, '10.0.0.2'],
  ['10.0.0.2', 'unknown', '10.0.0.2'],
  ['10.0.0.2', '1.1.1.1, nonsense', '10.0.0.2'],
])(verifies('G1:peers', 'behind %s with X-Forwarded-For: %s is %s'), (remote, header, client) => {
  expect(behind(remote, header)).toBe(client);
});

test('a setting is an address or a block', () => {
  expect(['10.0.0.1', '10.0.0.0/8', '::1', 'fd00::/8'].every(isAddressBlock)).toBe(true);
  expect(['', 'caddy', '10.0.0.0/33', 'fd00::/129', '10.0.0.0/8/8', 7].some(isAddressBlock)).toBe(false);
});
