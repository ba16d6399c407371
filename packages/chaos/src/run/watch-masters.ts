import { findAgreement } from '../redis/agreement.js';
import type { ChaosSystem } from '../system/chaos-system.js';

/** Who writes in a store that can choose another server by itself, also one that no fault meant: a slow machine may look like a dead one. */
export class MasterWatch {
  private names: string | undefined;
  private changedAt = -Infinity;
  private hadStray = false;

  constructor(private readonly system: ChaosSystem) {}

  /** How long the same servers have written, in milliseconds. */
  get steadyMs(): number {
    return performance.now() - this.changedAt;
  }

  /** Looks, and records what a new choice means: the one that was chosen may lack what the other had acknowledged. */
  async look(): Promise<void> {
    const { store } = this.system;
    if (store.kind === 'single') return;
    const { isWhole, hasStray } = await findAgreement(store);
    if (!isWhole) this.changedAt = performance.now();
    if (this.hadStray && !hasStray) this.lost('a second master is none any more');
    this.hadStray = hasStray;
    const masters = await store.masters().catch(() => []);
    const roles = await Promise.all(masters.map(async (server) => (await server.ask('ROLE').catch(() => ['nobody'])) as [string]));
    // A sentinel may name a server that doesn't write, until it has made up its mind.
    if (masters.length === 0 || !roles.every(([role]) => role === 'master')) return;
    const names = masters.map(({ options }) => options.name).join(', ');
    if (names === this.names) return;
    if (this.names !== undefined) this.lost(`${names} took over`);
    this.names = names;
  }

  private lost(how: string): void {
    this.changedAt = performance.now();
    this.system.record({ kind: 'store-lost', how, since: 0 });
  }
}
