import { expect, test } from 'vitest';
import { verifies } from '@codelab/testkit';
import fc from 'fast-check';
import { isPublicAddress } from './public-address.js';

test.each([
  ['8.8.8.8', true],
  ['1.1.1.1', true],
  ['100.63.255.255', true],
  ['100.128.0.0', true],
  ['172.15.255.255', true],
  ['172.32.0.1', true],
  ['192.167.255.255', true],
  ['198.17.255.255', true],
  ['223.255.255.255', true],
  ['2606:4700:4700::1111', true],
  ['2a00:1450:4001:80b::200e', true],
  ['0.0.0.0', false],
  ['10.1.2.3', false],
  ['100.64.0.1', false],
  ['127.0.0.1', false],
  ['127.255.255.254', false],
  ['169.254.169.254', false],
  ['172.16.0.1', false],
  ['172.31.255.255', false],
  ['192.0.0.192', false],
  ['192.168.1.1', false],
  ['198.18.0.1', false],
  ['224.0.0.251', false],
  ['239.255.255.250', false],
  ['240.0.0.1', false],
  ['255.255.255.255', false],
  ['::', false],
  ['::1', false],
  ['::ffff:127.0.0.1', false],
  ['::ffff:7f00:1', false],
  ['::ffff:8.8.8.8', false],
  ['::127.0.0.1', false],
  ['64:ff9b::a00:1', false],
  ['2002:7f00:1::', false],
  ['2001::1', false],
  ['2001:db8::1', false],
  ['3fff::1', false],
  ['fc00::1', false],
  ['fd00:ec2::254', false],
  ['fe80::1', false],
  ['fe80::1%eth0', false],
  ['2606:4700::1%eth0', false],
  ['fec0::1', false],
  ['ff02::1', false],
  ['localhost', false],
  ['', false],
  ['8.8.8.8 ', false],
  ['0177.0.0.1', false],
])('%s: public is %s', (address, isPublic) => expect(isPublicAddress(address)).toBe(isPublic));

const byte = fc.integer({ min: 0, max: 255 });
const hex = (one: number, two: number): string => ((one << 8) | two).toString(16);

test(verifies('H1:egress-forms', 'no IPv6 form of an IPv4 address is public, whichever address it stands for'), () => {
  fc.assert(
    fc.property(byte, byte, byte, byte, (a, b, c, d) => {
      const dotted = [a, b, c, d].join('.');
      const [high, low] = [hex(a, b), hex(c, d)];
      const forms = [`::ffff:${dotted}`, `::ffff:${high}:${low}`, `::${dotted}`, `64:ff9b::${dotted}`, `2002:${high}:${low}::1`];
      for (const form of forms) expect([form, isPublicAddress(form)]).toEqual([form, false]);
    }),
    { numRuns: 200 },
  );
});

test('every address of a private block is refused, however it is written', () => {
  const fixed: readonly (readonly [number, number, number])[] = [
    [10, 0, 255],
    [127, 0, 255],
    [172, 16, 31],
    [192, 168, 168],
    [169, 254, 254],
  ];
  fc.assert(
    fc.property(fc.constantFrom(...fixed), byte, byte, byte, ([first, from, to], second, c, d) => {
      const address = [first, from + (second % (to - from + 1)), c, d].join('.');
      expect([address, isPublicAddress(address)]).toEqual([address, false]);
    }),
    { numRuns: 200 },
  );
});
