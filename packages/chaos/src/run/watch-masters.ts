import type { ChaosSystem } from '../system/chaos-system.js';

/** Who writes in a store that can choose another server by itself, also one that no fault meant: a slow machine may look like a dead one. */
export class MasterWatch {
  private names: string | undefined;
  private changedAt = -Infinity;

  constructor(private readonly system: ChaosSystem) {}

  /** How long the same servers have written, in milliseconds. */
  get steadyMs(): number {
    return performance.now() - this.changedAt;
  }

  /** Looks, and records what a new choice means: the one that was chosen may lack what the other had acknowledged. */
  async look(): Promise<void> {
    const { store } = this.system;
    if (store.kind === 'single') return;
    const masters = await store.masters().catch(() => undefined);
    const roles = await Promise.all((masters ?? []).map((server) => server.ask('ROLE').catch(() => ['nobody'])));
    // A sentinel may name a server that doesn't write, until it has made up its mind.
    if (masters === undefined || !roles.every((role) => (role as [string])[0] === 'master')) {
      this.changedAt = performance.now();
      return;
    }
    const names = masters.map(({ options }) => options.name).join(', ');
    if (names === this.names) return;
    if (this.names !== undefined) {
      this.changedAt = performance.now();
      this.system.record({ kind: 'store-lost', how: `${names} took over`, since: 0 });
    }
    this.names = names;
  }
}
