/** One thing that must be there before a service is ready, such as its Redis connection. */
export interface Gate {
  /** It is there. */
  readonly open: () => void;
  /** It is gone: `/ready` says 503 and names it until it opens again. */
  readonly close: () => void;
}

/** Whether the service can do its work now, and what it waits for if not. Starts closed for every gate. */
export class Readiness {
  private readonly closed = new Set<string>();
  private readonly listeners = new Set<(ready: boolean) => void>();

  /** Declares something to wait for. `name` is what `/ready` shows. */
  gate(name: string): Gate {
    this.change(() => this.closed.add(name));
    return {
      open: () => this.change(() => this.closed.delete(name)),
      close: () => this.change(() => this.closed.add(name)),
    };
  }

  get ready(): boolean {
    return this.closed.size === 0;
  }

  get waitingFor(): readonly string[] {
    return [...this.closed].sort();
  }

  /** Called on every change of `ready`. Returns the way to stop. */
  onChange(listener: (ready: boolean) => void): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }

  private change(mutate: () => void): void {
    const before = this.ready;
    mutate();
    if (this.ready !== before) for (const listener of this.listeners) listener(this.ready);
  }
}
