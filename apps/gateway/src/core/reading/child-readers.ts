import type { SessionRef, Sid } from '@codelab/bus';
import type { GatewayPorts } from '../gateway-ports.js';
import type { Outbox } from '../outbox/outbox.js';
import { ChildReader, type ChildAudience } from './child-reader.js';

/** The children of one connection's session, as far as their turns run. */
export class ChildReaders {
  /** Those that are read, or about to be. */
  private readonly known = new Set<Sid>();
  private readonly readers = new Map<Sid, ChildReader>();
  private isStopped = false;

  constructor(
    private readonly ports: GatewayPorts,
    private readonly outbox: Outbox,
    private readonly audience: ChildAudience,
  ) {}

  /** A child runs. Said again it does nothing. */
  add(child: SessionRef): void {
    if (this.isStopped || this.known.has(child.sid)) return;
    this.known.add(child.sid);
    this.open(child).catch(() => this.forget(child)); // the store is away: the next look at the list of children finds it again
  }

  private async open(child: SessionRef): Promise<void> {
    const reader = await ChildReader.open(this.ports, this.outbox, child, this.audience, () => this.forget(child));
    if (reader === undefined) return this.forget(child);
    if (this.isStopped) return reader.stop();
    if (!this.known.has(child.sid)) return; // it has ended meanwhile
    this.readers.set(child.sid, reader);
  }

  private forget({ sid }: SessionRef): void {
    this.known.delete(sid);
    this.readers.delete(sid);
  }

  /** The child that has, or had, this call. */
  find(callId: string): ChildReader | undefined {
    return [...this.readers.values()].find((reader) => reader.has(callId));
  }

  /** The reader of a child, while its turn runs. */
  of({ sid }: SessionRef): ChildReader | undefined {
    return this.readers.get(sid);
  }

  /** The session has another executor. */
  followParent(): void {
    for (const reader of this.readers.values()) reader.followParent();
  }

  stop(): void {
    this.isStopped = true;
    for (const reader of this.readers.values()) reader.stop();
    this.readers.clear();
  }
}
