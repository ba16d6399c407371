import { join } from 'node:path';
import type { ChaosEvent } from '../recording/chaos-event.js';
import { startUpstream } from '../workload/model/upstream.js';
import { ownersOf, upstreamKeyOf } from '../workload/script/owners.js';
import { startWorkload } from '../workload/workload.js';
import type { RunParts, RunViolation } from './run-parts.js';

/** Owners and their secrets are the same for every seed: services read their tokens once. */
const PEOPLE = 1;

/** What the suite does with the product, and what it knows of its promises. */
export function productParts(): RunParts {
  const owners = ownersOf(PEOPLE);
  const upstreamKey = upstreamKeyOf(PEOPLE);
  return {
    owners,
    upstreamKey,
    startUpstream: (record) => startUpstream({ key: upstreamKey, record }),
    startWorkload: ({ folder, ...start }) => startWorkload({ ...start, owners, folder: join(folder, 'clients') }),
    judge: (_events: readonly ChaosEvent[]): readonly RunViolation[] => [],
  };
}
