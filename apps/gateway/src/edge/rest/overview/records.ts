import type { Ledger, PublishedTools, ServiceReports, ToolCallLog } from '@codelab/bus';

/** What the services keep beside sessions, as far as REST shows it. */
export interface Records {
  readonly ledger: Pick<Ledger, 'readUsage'>;
  readonly toolCalls: Pick<ToolCallLog, 'read'>;
  readonly publishedTools: Pick<PublishedTools, 'read'>;
  readonly serviceReports: Pick<ServiceReports, 'read' | 'readQueues'>;
}
