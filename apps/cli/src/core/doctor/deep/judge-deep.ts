import type { StoreInspection } from '@codelab/bus';
import type { Finding } from '../findings.js';
import { judgeNode } from './judge-node.js';
import { judgeClocks, judgeProbe, judgeServices, judgeSettings, judgeVersions, type Probe } from './judge-services.js';
import { judgeQueues, judgeQuota, judgeStuck } from './judge-work.js';

/** Everything that a deep look found. */
export interface DeepLook {
  readonly inspection: StoreInspection;
  readonly probes: readonly Probe[];
  /** What a tenant and a person may store, as the services say; 0: any amount. */
  readonly quotas: { readonly ownerBytes: number; readonly tenantBytes: number };
}

/** The state of a running stack: each finding that isn't right says what to do. */
export function judgeDeep({ inspection, probes, quotas }: DeepLook): readonly Finding[] {
  return [
    ...inspection.nodes.flatMap((node) => judgeNode(node, inspection.nodes.length > 1)),
    ...judgeServices(inspection.services),
    ...probes.map(judgeProbe),
    judgeVersions(inspection.services),
    ...judgeSettings(inspection.services),
    judgeClocks(inspection),
    ...judgeQueues(inspection),
    ...judgeStuck(inspection),
    judgeQuota('tenant quota', inspection.stored.largestTenantBytes, quotas.tenantBytes, 'CODELAB_QUOTA_TENANT_BYTES'),
    judgeQuota('person quota', inspection.stored.largestOwnerBytes, quotas.ownerBytes, 'CODELAB_QUOTA_OWNER_BYTES'),
  ];
}
