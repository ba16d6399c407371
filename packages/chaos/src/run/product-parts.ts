import { join } from 'node:path';
import { judge } from '../oracle/index.js';
import { startClientPool } from '../workload/client/client-pool.js';
import { startUpstream } from '../workload/model/upstream.js';
import { canariesOf, ownersOf, upstreamKeyOf } from '../workload/script/owners.js';
import { startWorkload } from '../workload/workload.js';
import type { RunParts } from './run-parts.js';

/** Owners and their secrets are the same for every seed: services read their tokens once. */
const PEOPLE = 1;
/** Clients that a workload starts at once, most of the time. */
const SPARE_CLIENTS = 3;

export interface ProductPartsOptions {
  /** What programs need to find others: `PATH`, `HOME` and the like. */
  readonly env: Readonly<NodeJS.ProcessEnv>;
  /** Arguments of Node for client processes. */
  readonly clientExecArgv?: readonly string[];
  /** The program of client processes; the built one of this package without. */
  readonly clientProgram?: string;
}

/** What the suite does with the product, and what it knows of its promises. To be closed. */
export function productParts({ env, clientExecArgv, clientProgram }: ProductPartsOptions): RunParts & { close(): void } {
  const owners = ownersOf(PEOPLE);
  const canaries = canariesOf(PEOPLE);
  const upstreamKey = upstreamKeyOf(PEOPLE);
  const pool = startClientPool({
    ...{ env, spares: SPARE_CLIENTS, execArgv: clientExecArgv, program: clientProgram },
  });
  return {
    owners,
    upstreamKey,
    startUpstream: (record) => startUpstream({ key: upstreamKey, record }),
    startWorkload: ({ folder, ...start }) => startWorkload({ ...start, owners, pool, folder: join(folder, 'clients') }),
    judge: (events) => judge(events, { canaries }),
    close: () => pool.close(),
  };
}
