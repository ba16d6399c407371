export { drawFrom, type Draw } from './plan/draw.js';
export type { ChaosEvent, ChaosEventBody, ChaosFrame, EventOf, ObserverRole, ProbeTruth } from './recording/chaos-event.js';
export { inTimeOrder, readRecording, streamRecording } from './recording/read-recording.js';
export { openRecorder, type Recorder } from './recording/recorder.js';
export { startRunClock, type RunClock } from './recording/run-clock.js';
export {
  renderReport,
  writeReport,
  type Failure,
  type MutantRow,
  type Recording,
  type ReportData,
  type SeedOutcome,
  type Series,
} from './report/index.js';
export { drawPlan } from './plan/draw-plan.js';
export { describeFault, repeatCommand, type Plan, type PlannedFault } from './plan/plan.js';
export { Lane, type LaneOptions, type SeedResult } from './run/lane.js';
export { runSeeds, type SeedFailure, type RunOptions, type RunSummary } from './run/run-seeds.js';
export { ChaosSystem, USUAL_SHAPE, type SystemShape } from './system/chaos-system.js';
export { measureRecovery, type RecoveryOptions } from './recovery/index.js';
export { duration, quantile } from './report/plots/scale.js';
export { describeMachine, presentCommit } from './report/machine.js';
export { startUpstream, type Upstream } from './workload/model/upstream.js';
export type { UpstreamFault, UpstreamFaults } from './workload/model/upstream-faults.js';
export { canariesOf, ownersOf, upstreamKeyOf, type Canary, type Owner } from './workload/script/owners.js';
export { startWorkload, type Workload, type WorkloadOptions, type WorkloadSystem } from './workload/workload.js';
export { startClientPool, type ClientPool, type ClientPoolOptions } from './workload/client/client-pool.js';
export type { WorkloadClient } from './workload/client/client-process.js';
export { proveSuite, type ProofOptions } from './run/prove-suite.js';
export { runChaos, type ChaosIo, type ChaosOptions } from './run/run-chaos.js';
export { productParts, type ProductPartsOptions } from './run/product-parts.js';
export type { RunParts, RunViolation } from './run/run-parts.js';
export { filesOf, findMutants, MUTANTS, mutantsOfDay, plantFault, plantMutant, runMutants } from './mutants/index.js';
export type { Mutant, MutantLane, MutantRun, PlantedInstallation } from './mutants/index.js';
export { judge, PROMISES, type Expectations, type Promised, type Violation } from './oracle/index.js';
