import type { CallRecord } from '@codelab/protocol';
import type { SessionMeta } from '@codelab/bus';
import { presentCall } from '../../core/delivery/present-call.js';

/** What the executor said of its folder. */
export const presentWorkspace = ({ workspace }: Pick<SessionMeta, 'workspace'>): object | undefined =>
  workspace === '' ? undefined : (JSON.parse(workspace) as object);

/** A session as REST shows it. */
export const presentSession = (meta: SessionMeta) => ({
  session_id: meta.ref.sessionId,
  title: meta.title,
  created_at_ms: meta.createdAtMs,
  updated_at_ms: meta.updatedAtMs,
  status: meta.turnId === '' ? 'idle' : meta.cancelTurnId === meta.turnId ? 'cancelling' : 'running',
  turn_id: meta.turnId || undefined,
  model: meta.model,
  agent: meta.agent,
  mode: meta.mode,
  vocabulary: meta.vocabulary,
  executor: meta.executor || undefined,
  workspace: presentWorkspace(meta),
  epoch: meta.epoch,
  seq: meta.seq,
  history_items: meta.historyVersion,
  user_messages: meta.userMessages,
  client_grace_ms: meta.clientGraceMs,
  server_side_decisions: meta.serverSideDecisions,
});

/** A question that waits, as JSON text: its `tool_call` frame in its present state, with what the executor would do, if it has said so. */
export function presentQuestion(record: CallRecord): string {
  const frame = presentCall(record, 'hello', false);
  if (record.preview === '') return frame;
  const { preview, operands } = JSON.parse(record.preview) as { readonly preview: unknown; readonly operands: unknown };
  return `{"preview":${JSON.stringify(preview)},"operands":${JSON.stringify(operands)},${frame.slice(1)}`;
}
