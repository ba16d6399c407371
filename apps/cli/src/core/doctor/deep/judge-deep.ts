import type { InspectedWork, StoreInspection } from '@codelab/bus';
import type { Finding } from '../findings.js';
import { judgeServers } from './judge-servers.js';
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
  const { nodes, work } = inspection;
  const servers = judgeServers(inspection);
  if ('problem' in work) return [...servers, judgeUnread(work.problem), ...probes.map(judgeProbe), judgeClocks([], nodes)];
  return [
    ...servers,
    ...judgeServices(work.services),
    ...probes.map(judgeProbe),
    judgeVersions(work.services),
    ...judgeSettings(work.services),
    judgeClocks(work.services, nodes),
    ...judgeWork(work, quotas),
  ];
}

const judgeUnread = (problem: string): Finding => ({
  state: 'wrong',
  subject: 'Redis data',
  found: `services, queues, leases and quotas could not be read (${problem})`,
  remedy: 'mend what is said of its servers above, and look again',
});

const judgeWork = (work: InspectedWork, quotas: DeepLook['quotas']): readonly Finding[] => [
  ...judgeQueues(work),
  ...judgeStuck(work),
  judgeQuota('tenant quota', work.stored.largestTenantBytes, quotas.tenantBytes, 'CODELAB_QUOTA_TENANT_BYTES'),
  judgeQuota('person quota', work.stored.largestOwnerBytes, quotas.ownerBytes, 'CODELAB_QUOTA_OWNER_BYTES'),
];
