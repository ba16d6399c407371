import type { CallState } from '@codelab/protocol';
import type { CallRecord, DecisionRecord } from '../../session-records.js';
import { toNumber, type Fields } from '../connection/decode-fields.js';

const decodeCall = (callId: string, fields: Fields): CallRecord => {
  const field = (letter: string): string => fields[`${callId}:${letter}`] ?? '';
  const decision = field('o');
  return {
    callId,
    frame: field('f'),
    seq: toNumber(field('q')),
    state: field('s') as CallState,
    argsSha256: field('d'),
    fence: toNumber(field('n')),
    expiresAtMs: toNumber(field('x')),
    ...(decision === '' ? {} : { decision: JSON.parse(decision) as DecisionRecord }),
    preview: field('p'),
    progress: field('g') as CallRecord['progress'],
    startedAtMs: toNumber(field('t')),
    givenTo: field('to'),
    result: field('r'),
    agent: field('ag'),
  };
};

/** The open calls of `cl:{sid}:calls`, in the order in which they were opened. */
export const decodeCalls = (fields: Fields): readonly CallRecord[] =>
  (fields['open'] ?? '')
    .split(' ')
    .filter((callId) => callId !== '')
    .map((callId) => decodeCall(callId, fields));
