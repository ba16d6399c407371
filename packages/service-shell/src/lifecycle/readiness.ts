/** One thing that must be there before a service is ready, such as its Redis connection. */
export interface Gate {
  /** It is there. */
  readonly open: () => void;
  /** It is gone: `/ready` says 503 and names it until it opens again, with the reason if there is one. */
  readonly close: (reason?: string) => void;
}

/** Something remote that knows whether it can be worked with. */
export interface HealthSource {
  health(): { readonly isHealthy: boolean; readonly reason?: string };
  /** Hears that the health may have changed. */
  onHealth(listener: () => void): void;
}

/** Whether the service can do its work now, and what it waits for if not. Starts closed for every gate. */
export class Readiness {
  private readonly closed = new Map<string, string | undefined>();
  private readonly listeners = new Set<(ready: boolean) => void>();

  /** Declares something to wait for. `name` is what `/ready` shows. */
  gate(name: string): Gate {
    this.change(() => this.closed.set(name, undefined));
    return {
      open: () => this.change(() => this.closed.delete(name)),
      close: (reason) => this.change(() => this.closed.set(name, reason)),
    };
  }

  /** Declares something to wait for that is open while its source is healthy. */
  follow(name: string, source: HealthSource): void {
    const gate = this.gate(name);
    const show = (): void => {
      const { isHealthy, reason } = source.health();
      if (isHealthy) gate.open();
      else gate.close(reason);
    };
    source.onHealth(show);
    show();
  }

  get ready(): boolean {
    return this.closed.size === 0;
  }

  get waitingFor(): readonly string[] {
    return [...this.closed.keys()].sort();
  }

  /** Why, by name, where a reason is known. */
  get reasons(): Readonly<Record<string, string>> {
    return Object.fromEntries([...this.closed].flatMap(([name, reason]) => (reason === undefined ? [] : [[name, reason]])));
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
