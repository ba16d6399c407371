export * from './audit-log.js';
export { BusError } from './bus-error.js';
export * from './model-facts.js';
export type * from './model-queue.js';
export type * from './child-record.js';
export * from './child-sessions.js';
export * from './handovers.js';
export * from './heartbeats.js';
export type * from './accounts/ledger.js';
export { QuotaError, type QuotaLimits } from './accounts/quota-error.js';
export type * from './accounts/storage-use.js';
export { newId } from './new-id.js';
export * from './published-tools.js';
export * from './rule-store.js';
export * from './server-tools.js';
export * from './service-reports.js';
export type * from './sign-ins.js';
export type * from './session-alerts.js';
export type * from './session-stream.js';
export * from './session-records.js';
export { ownerHash, SESSION_ID, sessionRef, type Owner, type SessionRef, type Sid } from './session-ref.js';
export type * from './session-store.js';
export { toPolicyRules } from './to-policy-rules.js';
export * from './accounts/tool-call-log.js';
export * from './tool-revisions.js';
export type * from './wake-queue.js';
export type * from './janitor.js';
export type {
  InspectedCluster,
  InspectedNode,
  InspectedSentinels,
  InspectedService,
  InspectedWork,
  SilentServer,
  StoreInspection,
  StuckSession,
} from './store-inspection.js';
