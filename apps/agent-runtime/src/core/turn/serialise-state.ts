import type { CallRecord } from '@codelab/protocol';
import { type CallResult, readCallResult, standardResult } from '../calls/call-result.js';
import {
  type Call,
  EMPTY_STATE,
  type HandedOverCall,
  type Phase,
  type ReadyCall,
  type SessionState,
  type SettledCall,
  STATE_SCHEMA,
  type Step,
  type Turn,
  type UndecidedCall,
  type Use,
} from './turn-state.js';

/** What a stored text turned out to be. `newer`: written by a release that this one must not interfere with. */
export type ParsedState =
  | { readonly kind: 'state'; readonly state: SessionState }
  | { readonly kind: 'newer'; readonly schema: number }
  | { readonly kind: 'broken'; readonly cause: unknown };

type StoredStep = Omit<Step, 'text' | 'ahead' | 'retry' | 'flushedAtMs'>;
type StoredCall = Omit<UndecidedCall, 'frame'> | Omit<ReadyCall, 'frame'> | SettledCall | HandedOverCall;
type StoredPhase =
  | Exclude<Phase, { kind: 'asking' | 'calling' }>
  | { kind: 'asking'; step: StoredStep }
  | { kind: 'calling'; calls: StoredCall[]; uses?: readonly Use[] };
interface Stored {
  readonly schema: number;
  readonly commits: number;
  readonly reported: SessionState['reported'];
  readonly marks?: SessionState['marks'];
  readonly told?: SessionState['told'];
  readonly context?: SessionState['context'];
  readonly ended?: SessionState['ended'];
  readonly turn?: Omit<Turn, 'phase'> & { readonly phase: StoredPhase };
}

const storeCall = (call: Call): StoredCall => {
  if (call.state === 'handed_over') return call;
  const { frame: _, ...stored } = call;
  return stored.state === 'settled' && stored.result.inRecord ? { ...stored, result: { ...stored.result, content: '' } } : stored;
};

const storePhase = (phase: Phase): StoredPhase => {
  if (phase.kind === 'calling') return { ...phase, calls: phase.calls.map(storeCall) };
  if (phase.kind !== 'asking') return phase;
  const { text: _text, ahead: _ahead, retry: _retry, flushedAtMs: _flushed, ...step } = phase.step;
  return { kind: 'asking', step };
};

/** The text of a state, to be stored with the commit that makes it true. */
export function serialiseState({ commits, reported, marks, told, context, ended, turn }: SessionState): string {
  const stored: Stored = {
    schema: STATE_SCHEMA,
    commits,
    reported,
    marks,
    told,
    context,
    ended,
    turn: turn && { ...turn, phase: storePhase(turn.phase) },
  };
  return JSON.stringify(stored);
}

/** A result that only the record has. Where the record is gone, nobody can say any more how the call ended. */
const restoreResult = (toolName: string, result: CallResult, record: CallRecord | undefined): CallResult => {
  if (!result.inRecord) return result;
  if (record?.result === undefined) return standardResult('OUTCOME_UNKNOWN');
  return { ...result, content: readCallResult(toolName, record.result).content };
};

const restoreCall = (call: StoredCall, record: CallRecord | undefined): Call => {
  if (call.state === 'handed_over') return call;
  if (call.state === 'settled') return { ...call, result: restoreResult(call.toolName, call.result, record), frame: record?.frame };
  return { ...call, frame: record?.frame ?? '' };
};

/** Schema 1 kept all fields of a call in every state, and a call that was handed over as a settled one without a result. */
const upgradeCall = (call: StoredCall): StoredCall => {
  if (!('handedOver' in call)) return call;
  const { callId, toolName, deadlineMs, human } = call;
  return { callId, toolName, deadlineMs, human, state: 'handed_over' };
};

/** Before schema 3 every call was made by the model itself. */
const usesIn = ({ calls, uses }: { readonly calls: readonly StoredCall[]; readonly uses?: readonly Use[] }): readonly Use[] =>
  uses ?? calls.map(({ callId }) => ({ useId: callId, callIds: [callId] }));

const restorePhase = (phase: StoredPhase, records: ReadonlyMap<string, CallRecord>): Phase => {
  if (phase.kind === 'calling')
    return { ...phase, calls: phase.calls.map((call) => restoreCall(upgradeCall(call), records.get(call.callId))), uses: usesIn(phase) };
  return phase.kind === 'asking' ? { kind: 'asking', step: { ...phase.step, text: '', flushedAtMs: 0 } } : phase;
};

/**
 * The state that a text stands for, with what the text leaves out taken from where it is kept. Never throws.
 * @param text `meta.state`; '' for a session in which nothing has happened
 */
export function parseState(text: string, facts: { readonly calls: readonly CallRecord[]; readonly historyVersion: number }): ParsedState {
  const { historyVersion } = facts;
  if (text === '') return { kind: 'state', state: { ...EMPTY_STATE, historyVersion } };
  try {
    const { schema, commits, reported, marks, told, context, ended, turn } = JSON.parse(text) as Stored;
    if (schema > STATE_SCHEMA) return { kind: 'newer', schema };
    const records = new Map(facts.calls.map((record) => [record.callId, record]));
    const restored = turn && {
      ...turn,
      vocabulary: schema < 3 ? ('codelab' as const) : turn.vocabulary,
      phase: restorePhase(turn.phase, records),
    };
    return { kind: 'state', state: { commits, reported, marks, told, context, ended, historyVersion, turn: restored } };
  } catch (cause) {
    return { kind: 'broken', cause };
  }
}
