import type { CallRecord } from '@codelab/protocol';
import type { InboxEntry, StepDelta, StepReading } from '@codelab/bus';
import type { PolicyRule } from '@codelab/tools';
import type { BeginTrace } from '../tracing/turn-trace.js';
import type { KnownModels } from '../model/known-models.js';
import type { RuntimeLimits } from './runtime-limits.js';
import type { SessionFacts } from '../session/session-facts.js';

/** What has happened since the last step: everything that a step depends on comes in here, the time too. */
export interface StepInputs {
  readonly nowMs: number;
  /** Inbox entries that no commit has consumed yet, in order. */
  readonly entries: readonly InboxEntry[];
  /** The last entry that a commit has consumed. */
  readonly inboxDone: number;
  /** Text that the model has written meanwhile. */
  readonly deltas?: readonly StepDelta[];
  /** The record of the model request, where deltas are missing. */
  readonly reading?: StepReading & { readonly stepId: string };
  /** The rules that calls are judged by, as they are when the step is committed; absent where no call is judged. */
  readonly rules?: readonly PolicyRule[];
  /** A rule was made: the calls that wait for a human are judged once more, by `rules` as they are now and by `records`. */
  readonly reviews?: boolean;
  /** The records of the open calls as they stand, where `needsRecords` asked for them. */
  readonly records?: readonly CallRecord[];
  /** A model request whose record is gone: nobody will answer it. */
  readonly lostStepId?: string;
  /** A turn that the session's record names and nothing else knows of: it has to end (R3). */
  readonly orphanTurnId?: string;
}

/** Where ids come from. */
export type NewId = (prefix: 'call' | 'turn' | 'msg' | 'step') => string;

/** What a step may ask beside its inputs. */
export interface StepContext {
  readonly facts: SessionFacts;
  readonly limits: RuntimeLimits;
  readonly newId: NewId;
  /** Missing: no turn is traced. */
  readonly beginTrace?: BeginTrace;
  /** What the proxies say of models. */
  readonly known?: Pick<KnownModels, 'find'>;
}
