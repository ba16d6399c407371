import type { CallEvidence, CallRecord, DecisionRecord, Idempotency, StoredCallState } from '@codelab/protocol';
import { toNumber, type Fields } from '../connection/decode-fields.js';

const decodeCall = (callId: string, fields: Fields): CallRecord => {
  const field = (letter: string): string => fields[`${callId}:${letter}`] ?? '';
  const [state, decision, result] = [field('s') as StoredCallState, field('o'), field('r')];
  const facts = {
    callId,
    toolName: field('m'),
    idempotency: field('i') as Idempotency,
    deadlineMs: toNumber(field('l')),
    frame: field('f'),
    seq: toNumber(field('q')),
    argsSha256: field('d'),
    fence: toNumber(field('n')),
    expiresAtMs: toNumber(field('x')),
    preview: field('p'),
    progress: field('g') as CallEvidence | '',
    startedAtMs: toNumber(field('t')),
    givenTo: field('to'),
    agent: field('ag'),
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
