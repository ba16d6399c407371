import type { DecisionRecord } from '@codelab/protocol';
import type { InboxEntry } from '../../session-records.js';
import { toFields, type Fields } from '../connection/decode-fields.js';

const textOf = (json: string | undefined): string => (json === undefined ? '' : (JSON.parse(json) as string));

const DECODE: { readonly [Kind in InboxEntry['kind']]: (fields: Fields) => Omit<Extract<InboxEntry, { kind: Kind }>, 'id' | 'kind'> } = {
  message: (fields) => ({
    messageId: textOf(fields['message_id']),
    turnId: fields['turn_id'] ?? '',
    steered: fields['steered'] === '1',
    frame: fields['frame'] ?? '',
  }),
  removed: (fields) => ({ messageId: textOf(fields['message_id']) }),
  result: (fields) => ({
    callId: fields['call_id'] ?? '',
    frame: fields['frame'] ?? '',
    local: fields['local'] === '1',
    unasked: fields['unasked'] === '1' || undefined,
  }),
  abandoned: (fields) => ({ callId: fields['call_id'] ?? '' }),
  late_result: (fields) => ({ callId: fields['call_id'] ?? '', frame: fields['frame'] ?? '', replaces: fields['replaces'] === '1' }),
  decision: (fields) => ({ callId: fields['call_id'] ?? '', decision: JSON.parse(fields['decision'] ?? '{}') as DecisionRecord }),
  rules: () => ({}),
  quota: (fields) => ({ turnId: fields['turn_id'] ?? '', message: textOf(fields['message']) }),
  cancel: (fields) => ({ turnId: fields['turn_id'] ?? '' }),
  answer: (fields) => ({ stepId: fields['step_id'] ?? '', attempt: Number(fields['attempt']), answer: fields['answer'] ?? '' }),
  failure: (fields) => ({ stepId: fields['step_id'] ?? '', attempt: Number(fields['attempt']), failure: fields['failure'] ?? '' }),
  agent: (fields) => ({ agent: textOf(fields['agent']) }),
  journal: (fields) => ({ calls: fields['calls'] ?? '[]' }),
  executor: (fields) => ({ executor: textOf(fields['executor']) }),
};

/** An entry of `cl:{sid}:inbox` by its number and its flat list of names and values. */
export function decodeInboxEntry(id: number, flat: readonly string[]): InboxEntry {
  const fields = toFields(flat);
  const kind = fields['kind'] as InboxEntry['kind'];
  return { id, kind, ...DECODE[kind](fields) } as InboxEntry; // the table pairs each kind with its fields
}

/** Entries as `XRANGE` answers them. */
export const decodeInbox = (reply: unknown): readonly InboxEntry[] =>
  (reply as readonly (readonly [string, readonly string[]])[]).map(([id, flat]) => decodeInboxEntry(Number.parseInt(id, 10), flat));
