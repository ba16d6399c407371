import { CLIENT_FAULTS } from './client-faults.js';
import { FAILOVER_FAULTS } from './failover-faults.js';
import type { Fault } from './fault.js';
import { LINE_FAULTS } from './line-faults.js';
import { PROCESS_FAULTS } from './process-faults.js';
import { STORE_FAULTS } from './store-faults.js';
import { TIME_FAULTS } from './time-faults.js';
import { UPSTREAM_FAULTS } from './upstream-faults.js';

/** Every kind of fault there is. A new one is an entry of one of these. */
export const ALL_FAULTS: readonly Fault[] = [
  ...PROCESS_FAULTS,
  ...CLIENT_FAULTS,
  ...LINE_FAULTS,
  ...STORE_FAULTS,
  ...FAILOVER_FAULTS,
  ...TIME_FAULTS,
  ...UPSTREAM_FAULTS,
];

export const faultByName: ReadonlyMap<string, Fault> = new Map(ALL_FAULTS.map((fault) => [fault.name, fault]));
