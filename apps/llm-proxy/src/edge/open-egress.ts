import { ConfigError } from '@codelab/service-shell';
import { Egress } from '../core/egress/egress.js';
import { parseEgressAllow } from '../core/egress/egress-allow.js';

/** The one way out to addresses that others name. Throws `ConfigError` where what is allowed can't be read. */
export function openEgress(allowed: string | undefined): Egress {
  try {
    return new Egress({ allow: parseEgressAllow(allowed ?? '') });
  } catch (error) {
    throw new ConfigError([`CODELAB_EGRESS_ALLOW is not valid: ${(error as Error).message}.`]);
  }
}
