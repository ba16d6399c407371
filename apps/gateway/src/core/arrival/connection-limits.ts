import { refuse, type Refusal } from '@codelab/protocol';

/** How many connections this process holds. */
export interface ConnectionLimitsOptions {
  readonly connections: number;
  readonly unauthenticated: number;
  readonly unauthenticatedPerAddress: number;
}

/** Bounds the sockets of this process, and those that have not authenticated more tightly, in all and per address (G4). */
export class ConnectionLimits {
  private connections = 0;
  private unauthenticated = 0;
  private readonly perAddress = new Map<string, number>();

  constructor(private readonly limits: ConnectionLimitsOptions) {}

  /** A place for a connection, to be given back by `leave`. */
  enter(): Refusal | undefined {
    if (this.connections >= this.limits.connections)
      return refuse('OVERLOADED', 'this gateway holds as many connections as it may: try another');
    this.connections += 1;
    return undefined;
  }

  leave(): void {
    this.connections -= 1;
  }

  /** A place for the time until a client has authenticated: call what is answered when it has, or when it is gone. */
  wait(address: string): (() => void) | Refusal {
    const here = this.perAddress.get(address) ?? 0;
    if (this.unauthenticated >= this.limits.unauthenticated || here >= this.limits.unauthenticatedPerAddress) {
      return refuse('RATE_LIMITED', 'too many connections wait for their authentication: send the token with the upgrade request');
    }
    this.unauthenticated += 1;
    this.perAddress.set(address, here + 1);
    let isWaiting = true;
    return () => {
      if (isWaiting) this.endWait(address);
      isWaiting = false;
    };
  }

  private endWait(address: string): void {
    this.unauthenticated -= 1;
    const left = (this.perAddress.get(address) ?? 1) - 1;
    if (left === 0) this.perAddress.delete(address);
    else this.perAddress.set(address, left);
  }
}
