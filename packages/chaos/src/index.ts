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
