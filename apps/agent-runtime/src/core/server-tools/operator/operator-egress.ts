import { allowHostsOf, Egress, type EgressAllow } from '@codelab/egress';

/**
 * The ways out to what the operator names in the tools file: a host of its own is reached wherever it is, and a redirect is judged like any other
 * address. So each host has one, lest a server lead to another's private address.
 */
export class OperatorEgress {
  private readonly byOrigin = new Map<string, Egress>();

  /** @param allow what is allowed for any URL */
  constructor(private readonly allow: EgressAllow) {}

  for(url: string): Egress {
    const { origin } = new URL(url);
    const egress = this.byOrigin.get(origin) ?? new Egress({ allow: allowHostsOf([url], this.allow) });
    this.byOrigin.set(origin, egress);
    return egress;
  }

  async close(): Promise<void> {
    await Promise.all(Array.from(this.byOrigin.values(), (egress) => egress.close()));
  }
}
