/** More than this waiting, and the socket is not read: what comes then waits in the client. */
const MAX_WAITING = 32;
const MAX_WAITING_CHARACTERS = 64 * 1024;

/** A message that waits, or something that is to happen in its place among them. */
export type Inbound = string | (() => Promise<unknown>);

/** Whoever handles what waits. */
export interface InboundHandler {
  /** Must not reject. */
  handle(item: Inbound): Promise<void>;
  /** All that waited is handled: the queue is needed no more. */
  onEmpty(): void;
}

/**
 * The messages of one connection, handled one after the other in the order in which they came. What waits is bounded by whoever reads the
 * socket: it stops at the promise that `push` answers (G4).
 */
export class InboundQueue {
  private waiting: Inbound[] = [];
  private characters = 0;
  private isRunning = false;
  private resume: (() => void) | undefined = undefined;

  constructor(private readonly handler: InboundHandler) {}

  /** @returns nothing if there is room for more, else a promise that resolves when there is */
  push(item: Inbound): Promise<void> | undefined {
    this.waiting.push(item);
    this.characters += item.length;
    if (!this.isRunning) void this.run();
    return this.isFull ? this.whenEmpty() : undefined;
  }

  /** Resolves when everything that waits is handled. */
  whenEmpty(): Promise<void> | undefined {
    if (!this.isRunning) return undefined;
    return new Promise((resolve) => {
      const before = this.resume;
      this.resume = () => {
        before?.();
        resolve();
      };
    });
  }

  /** Forgets what waits. */
  close(): void {
    this.waiting = [];
    this.resume?.();
    this.resume = undefined;
  }

  private get isFull(): boolean {
    return this.waiting.length > MAX_WAITING || this.characters > MAX_WAITING_CHARACTERS;
  }

  private async run(): Promise<void> {
    this.isRunning = true;
    for (let item = this.waiting.shift(); item !== undefined; item = this.waiting.shift()) {
      this.characters -= item.length;
      await this.handler.handle(item);
    }
    this.isRunning = false;
    this.handler.onEmpty();
    this.resume?.();
  }
}
