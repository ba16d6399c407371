import type { SessionRef, Sid } from '@codelab/bus';
import type { GatewayPorts } from '../gateway-ports.js';
import type { Outbox } from '../outbox/outbox.js';
import { ChildReader, type ChildAudience } from './child-reader.js';

/** The children of one connection's session, as far as their turns run. */
export class ChildReaders {
  /** `undefined` for one that is about to be read. */
  private readonly readers = new Map<Sid, ChildReader | undefined>();
  private isStopped = false;

  constructor(
    private readonly ports: GatewayPorts,
    private readonly outbox: Outbox,
    private readonly audience: ChildAudience,
  ) {}

  /** A child runs. Said again it does nothing. */
  add(child: SessionRef): void {
    if (this.isStopped || this.readers.has(child.sid)) return;
    this.readers.set(child.sid, undefined);
    this.open(child).catch(() => this.readers.delete(child.sid)); // the store is away: the next look at the list of children finds it again
  }

  private async open(child: SessionRef): Promise<void> {
    const forget = (): void => void this.readers.delete(child.sid);
    const reader = await ChildReader.open(this.ports, this.outbox, child, this.audience, forget);
    if (reader === undefined) return forget();
    if (this.isStopped) return reader.stop();
    if (this.readers.has(child.sid)) this.readers.set(child.sid, reader); // else it has ended meanwhile
  }

  /** The child that has, or had, this call. */
  find(callId: string): ChildReader | undefined {
    return [...this.readers.values()].find((reader) => reader?.has(callId));
  }

  /** The reader of a child, while its turn runs. */
  of({ sid }: SessionRef): ChildReader | undefined {
    return this.readers.get(sid);
  }

  /** The client began anew with a snapshot of the session. */
  showAgain(): void {
    for (const reader of this.readers.values()) reader?.showAgain();
  }

  /** Calls of the session come to another connection now. */
  followParent(): void {
    for (const reader of this.readers.values()) reader?.followParent();
  }

  stop(): void {
    this.isStopped = true;
    for (const reader of this.readers.values()) reader?.stop();
    this.readers.clear();
  }
}
