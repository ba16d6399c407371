import type { QuotaLimits, Storage } from '@codelab/bus';
import { Gauge, type Registry } from 'prom-client';

/** Shows how much is stored in Redis beside what may be, without naming anybody. What was refused is in `codelab_gateway_refusals_total{code="QUOTA"}`. */
export function registerStorageMetrics(registry: Registry, storage: Storage, { ownerBytes, tenantBytes }: QuotaLimits): void {
  const registers = [registry];
  const largest = new Gauge({
    name: 'codelab_stored_bytes_of_largest_owner',
    help: 'Bytes in Redis of the person who stores most.',
    registers,
  });
  void new Gauge({
    ...{ name: 'codelab_stored_bytes', help: 'Bytes of all sessions in Redis.', registers },
    async collect() {
      const use = await storage.use().catch(() => undefined); // away: what was known last
      if (use === undefined) return;
      this.set(use.totalBytes);
      largest.set(use.largestOwnerBytes);
    },
  });
  const quota = new Gauge({ name: 'codelab_quota_bytes', help: 'What may be stored; 0: any amount.', labelNames: ['of'], registers });
  quota.set({ of: 'owner' }, ownerBytes);
  quota.set({ of: 'tenant' }, tenantBytes);
}
