import type { ClientHandle, UpstreamFault } from '../faults/fault.js';
import type { ChaosEvent, ChaosEventBody } from '../recording/chaos-event.js';
import type { Recorder } from '../recording/recorder.js';

/** Somebody whose sessions a run makes. */
export interface RunOwner {
  readonly name: string;
  readonly token: string;
  readonly tenant: string;
  readonly sub: string;
}

/** The model upstream of a system, for all runs in it. */
export interface RunUpstream {
  readonly baseUrl: string;
  readonly anthropicBaseUrl: string;
  readonly faults: { next(fault: UpstreamFault): void; clear(): void };
  close(): Promise<void>;
}

/** What clients do in a run. */
export interface RunWorkload {
  readonly clients: readonly ClientHandle[];
  /** Waits until every turn has ended; the sessions that did not come to rest within that time. */
  settled(withinMs: number): Promise<readonly string[]>;
  stop(): Promise<void>;
}

/** Something that a promise of the product forbids. */
export interface RunViolation {
  readonly promise: string;
  readonly text: string;
  readonly at: number;
  readonly events: readonly number[];
}

/** What a workload is started with. */
export interface WorkloadStart {
  readonly seed: number;
  readonly system: { readonly restUrl: string; readonly linkFor: (client: string) => Promise<string> };
  readonly recorder: Recorder;
  /** Made; taken away afterwards. */
  readonly folder: string;
}

/** What a run is made of beside the system and its faults. Owners and secrets are the same for every seed: services read them once. */
export interface RunParts {
  readonly owners: readonly RunOwner[];
  readonly upstreamKey: string;
  startUpstream(record: (event: ChaosEventBody) => void): Promise<RunUpstream>;
  startWorkload(start: WorkloadStart): Promise<RunWorkload>;
  judge(events: readonly ChaosEvent[]): readonly RunViolation[];
}
