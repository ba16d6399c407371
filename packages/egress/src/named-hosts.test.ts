import { expect, test } from 'vitest';
import { parseEgressAllow } from './egress-allow.js';
import { allowHostsOf } from './named-hosts.js';

const at = (hostname: string, address: string, port: number) => ({ hostname, address, port });
const NAMED = ['http://Tools.internal/weather', 'https://10.0.0.9:8443/x', 'http://[::1]:9000/'];

test.each([
  [at('tools.internal', '192.168.0.9', 80), true],
  [at('tools.internal', '192.168.0.9', 443), false],
  [at('other.internal', '192.168.0.9', 80), false],
  [at('10.0.0.9', '10.0.0.9', 8443), true],
  [at('other.internal', '10.0.0.9', 8443), false],
  [at('::1', '::1', 9000), true],
  [at('::1', '::1', 9001), false],
  [at('127.0.0.1', '127.0.0.1', 1), true],
])('%j is allowed: %s', (target, allowed) => expect(allowHostsOf(NAMED, parseEgressAllow('127.0.0.1')).allows(target)).toBe(allowed));
