import type { ChildRecord } from '../../child-record.js';
import type { SessionMeta } from '../../session-records.js';
import { sessionRef } from '../../session-ref.js';
import { toFields, toNumber, type Fields } from '../connection/decode-fields.js';

/** What `cl:{sid}:meta` holds, or nothing where there is no such session. */
export function decodeMeta(fields: Fields): SessionMeta | undefined {
  if (fields['epoch'] === undefined) return undefined;
  const text = (name: string): string => fields[name] ?? '';
  return {
    ref: sessionRef({ tenant: text('tenant'), sub: text('sub') }, text('session_id')),
    createdAtMs: toNumber(fields['created_at']),
    updatedAtMs: toNumber(fields['updated_at']),
    epoch: text('epoch'),
    seq: toNumber(fields['seq']),
    model: text('model'),
    agent: text('agent'),
    mode: text('mode'),
    vocabulary: text('vocabulary'),
    title: text('title'),
    executor: text('executor'),
    executorTools: text('executor_tools'),
    protocolVersion: text('protocol_version'),
    workspace: text('workspace'),
    facts: text('facts'),
    capabilities: text('capabilities'),
    turnId: text('turn_id'),
    cancelTurnId: text('cancel_turn'),
    state: text('state'),
    historyVersion: toNumber(fields['history_version']),
    inboxDone: toNumber(fields['inbox_done']),
    clientGraceMs: toNumber(fields['client_grace_ms']),
    serverSideDecisions: text('server_side_decisions') === '1',
    ...(fields['user_messages'] === undefined ? {} : { userMessages: toNumber(fields['user_messages']) }),
    ...(fields['child'] === undefined ? {} : { child: decodeChild(text('parent'), fields['child']) }),
  };
}

/** Those of the hashes that are of a session. */
export const toMetas = (hashes: readonly unknown[]): readonly SessionMeta[] =>
  hashes.map((fields) => decodeMeta(toFields(fields))).filter((meta) => meta !== undefined);

/** What a child is, by the name of its parent and what was stored of its request. */
const decodeChild = (parent: string, text: string): ChildRecord =>
  ({
    origin: 'proxy',
    ...(JSON.parse(text) as Omit<ChildRecord, 'parent' | 'origin'>),
    parent,
  }) as ChildRecord;
