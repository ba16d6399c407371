import { refuse, type Refusal } from '@codelab/protocol';

/** Bounds the connections of this process (G4). */
export class ConnectionLimits {
  private connections = 0;

  constructor(private readonly most: number) {}

  /** A place for a connection, to be given back by `leave`. */
  enter(): Refusal | undefined {
    if (this.connections >= this.most) return refuse('OVERLOADED', 'this gateway holds as many connections as it may: try another');
    this.connections += 1;
    return undefined;
  }

  leave(): void {
    this.connections -= 1;
  }
}
