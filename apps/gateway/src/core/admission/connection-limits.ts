import { ownerHash, type Owner } from '@codelab/bus';
import { refuse, type Refusal } from '@codelab/protocol';

/** A place of a connection. */
export interface ConnectionPlace {
  /** Says whose it is, once that is known. It stays nobody's where its owner has as many as they may. */
  claim(owner: Owner): Refusal | undefined;
  /** Gives it back; more than once is the same. */
  leave(): void;
}

/** How many connections there may be; 0 of one owner: any number. */
export interface MostConnections {
  readonly all: number;
  readonly ofOwner: number;
}

/** Bounds the connections of this process, and those of one person among them, so that nobody keeps others out (G4). */
export class ConnectionLimits {
  private connections = 0;
  private readonly byOwner = new Map<string, number>();

  constructor(private readonly most: MostConnections) {}

  /** A place for a connection. */
  enter(): ConnectionPlace | Refusal {
    if (this.connections >= this.most.all) return refuse('OVERLOADED', 'this gateway holds as many connections as it may: try another');
    this.connections += 1;
    let holder: string | undefined;
    let isHeld = true;
    return {
      claim: (owner) => {
        const name = ownerHash(owner);
        const count = this.byOwner.get(name) ?? 0;
        if (this.most.ofOwner > 0 && count >= this.most.ofOwner) return TOO_MANY_OF_ONE;
        holder = name;
        this.byOwner.set(name, count + 1);
        return undefined;
      },
      leave: () => {
        if (!isHeld) return;
        isHeld = false;
        this.connections -= 1;
        if (holder !== undefined) this.giveBack(holder);
      },
    };
  }

  private giveBack(owner: string): void {
    const left = (this.byOwner.get(owner) ?? 1) - 1;
    if (left === 0) this.byOwner.delete(owner);
    else this.byOwner.set(owner, left);
  }
}

const TOO_MANY_OF_ONE = refuse('OVERLOADED', 'you have as many connections to this gateway as one person may: close some');
