import type { Recorder } from '../recording/recorder.js';
import { startClusterStore } from './cluster-store.js';
import { startSentinelStore } from './sentinel-store.js';
import { startSingleStore } from './single-store.js';
import type { ChaosStore, StoreKind } from './store.js';

/** Starts the Redis of a run in a folder of its own; `services` are the names of those that get a line to it. */
export function startStore(
  kind: StoreKind,
  {
    folder,
    services,
    recorder,
  }: { readonly folder: string; readonly services: readonly string[]; readonly recorder: () => Pick<Recorder, 'record'> },
): Promise<ChaosStore> {
  if (kind === 'single') return startSingleStore(folder, services, recorder);
  return kind === 'sentinel' ? startSentinelStore(folder, recorder) : startClusterStore(folder, recorder);
}
