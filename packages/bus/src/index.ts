export { BusError } from './bus-error.js';
export type * from './model-queue.js';
export { newId } from './new-id.js';
export type * from './session-alerts.js';
export type * from './session-feed.js';
export type * from './session-records.js';
export { ownerHash, SESSION_ID, sessionRef, type Owner, type SessionRef, type Sid } from './session-ref.js';
export type * from './session-store.js';
export type * from './wake-queue.js';
