import type { Leaving } from '../../core/upstreams/upstream.js';

/** Tells that a caller left. An `AbortController` for each request would cost more than the rest of the door. */
export class CallerLeaving implements Leaving {
  private abortedNow = false;
  private listeners: (() => void)[] = [];

  get aborted(): boolean {
    return this.abortedNow;
  }

  addEventListener(_type: 'abort', listener: () => void): void {
    this.listeners.push(listener);
  }

  removeEventListener(_type: 'abort', listener: () => void): void {
    const place = this.listeners.indexOf(listener);
    if (place !== -1) this.listeners.splice(place, 1);
  }

  /** The caller is gone: everybody is told, once. */
  abort(): void {
    this.abortedNow = true;
    for (const listener of this.listeners.splice(0)) listener();
  }
}
