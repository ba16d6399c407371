import type { CallEvidence, CallRecord, DecisionRecord, Idempotency, StoredCallState } from '@codelab/protocol';
import { toNumber, type Fields } from '../connection/decode-fields.js';

/** What is kept of a call that waits for a decision: it has neither a decision nor a result. */
const WAITING_FIELDS = [
  ...['state', 'tool_name', 'idempotency', 'deadline_ms', 'frame', 'seq', 'args_sha256', 'fence', 'expires_at', 'preview', 'progress'],
  ...['started_at', 'given_to', 'agent'],
] as const;

/** The fields of a call that waits for a decision. */
export const waitingFields = (callId: string): readonly string[] => WAITING_FIELDS.map((name) => `${callId}:${name}`);

const decodeCall = (callId: string, fields: Fields): CallRecord => {
  const field = (name: string): string => fields[`${callId}:${name}`] ?? '';
  const [state, decision, result] = [field('state') as StoredCallState, field('decision'), field('result')];
  const facts = {
    callId,
    toolName: field('tool_name'),
    idempotency: field('idempotency') as Idempotency,
    deadlineMs: toNumber(field('deadline_ms')),
    frame: field('frame'),
    seq: toNumber(field('seq')),
    argsSha256: field('args_sha256'),
    fence: toNumber(field('fence')),
    expiresAtMs: toNumber(field('expires_at')),
    preview: field('preview'),
    progress: field('progress') as CallEvidence | '',
    startedAtMs: toNumber(field('started_at')),
    givenTo: field('given_to'),
    agent: field('agent'),
  };
  if (state === 'waiting_approval') return { ...facts, state };
  const decided = decision === '' ? undefined : (JSON.parse(decision) as DecisionRecord);
  if (state === 'ready') return { ...facts, state, decision: decided };
  return { ...facts, state: 'answered', decision: decided, result: result === '' ? undefined : result };
};

/** The open calls of `cl:{sid}:calls`, in the order in which they were opened. */
export const decodeCalls = (fields: Fields): readonly CallRecord[] =>
  (fields['open'] ?? '')
    .split(' ')
    .filter((callId) => callId !== '')
    .map((callId) => decodeCall(callId, fields));
