import { expect, test } from 'vitest';
import { parseEgressAllow } from './egress-allow.js';

const at = (hostname: string, address: string, port: number) => ({ hostname, address, port });

test.each([
  ['127.0.0.1:9000', at('localhost', '127.0.0.1', 9000), true],
  ['127.0.0.1:9000', at('localhost', '127.0.0.1', 9001), false],
  ['127.0.0.1', at('127.0.0.1', '127.0.0.1', 1), true],
  ['10.0.0.0/8', at('db.internal', '10.9.8.7', 5432), true],
  ['10.0.0.0/8', at('db.internal', '11.0.0.1', 5432), false],
  ['db.internal', at('db.internal', '192.168.0.9', 80), true],
  ['DB.internal:80', at('db.internal', '192.168.0.9', 80), true],
  ['db.internal:80', at('db.internal', '192.168.0.9', 81), false],
  ['db.internal', at('evil.db.internal', '192.168.0.9', 80), false],
  ['::1', at('localhost', '::1', 80), true],
  ['[::1]:8080', at('localhost', '::1', 8080), true],
  ['[::1]:8080', at('localhost', '::1', 8081), false],
  ['fd00::/8', at('x', 'fd00::9', 80), true],
  [' 10.0.0.1 , , tool:1 ', at('tool', '10.0.0.2', 1), true],
  ['', at('localhost', '127.0.0.1', 80), false],
])('%j allows %j: %s', (text, target, allowed) => expect(parseEgressAllow(text).allows(target)).toBe(allowed));

test.each(['10.0.0.0/33', '10.0.0/8', 'http://x', 'a b', 'x:0', 'x:70000', '[::1', 'x:y', '1.2.3', '/8', '*'])(
  '%j is refused by name',
  (entry) => {
    expect(() => parseEgressAllow(`127.0.0.1, ${entry}`)).toThrow(JSON.stringify(entry));
  },
);
