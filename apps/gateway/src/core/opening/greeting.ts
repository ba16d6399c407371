import { LIMITS, type Snapshot } from '@codelab/protocol';
import type { Position, SessionReading, SessionRef, SessionStore } from '@codelab/bus';
import { buildSnapshot } from '../snapshot/build-snapshot.js';
import { encodeServerFrame } from '../delivery/encode-server-frame.js';
import { isOpen, presentCall } from '../delivery/present-call.js';
import { readRunningTurn } from '../snapshot/read-partial.js';

/** The limits that `welcome` names. */
const ANNOUNCED_LIMITS = {
  max_frame_bytes: LIMITS.MAX_FRAME_BYTES,
  max_file_bytes: LIMITS.MAX_FILE_BYTES,
  max_diff_bytes: LIMITS.MAX_DIFF_BYTES,
  max_message_characters: LIMITS.MAX_MESSAGE_CHARACTERS,
  max_path_characters: LIMITS.MAX_PATH_CHARACTERS,
  max_tools_bytes: LIMITS.MAX_TOOLS_BYTES,
  max_nesting: LIMITS.MAX_NESTING,
  max_queued_messages: LIMITS.MAX_QUEUED_MESSAGES,
  max_output_bytes: LIMITS.MAX_OUTPUT_BYTES,
  min_deadline_ms: LIMITS.MIN_DEADLINE_MS,
};

/** Who executes, as one client is told. */
export const nameExecutor = (executor: string, client: string): 'you' | 'other' | 'none' =>
  executor === '' ? 'none' : executor === client ? 'you' : 'other';

/** A `welcome` frame. `seq` of the position is the last frame of the log. */
export function encodeWelcome(welcome: {
  readonly sessionId: string;
  readonly protocolVersion: string;
  readonly position: Position;
  readonly executor: 'you' | 'other' | 'none';
  readonly snapshot?: Snapshot;
}): string {
  const { sessionId, protocolVersion, position, executor, snapshot } = welcome;
  return encodeServerFrame({
    type: 'welcome',
    session_id: sessionId,
    protocol_version: protocolVersion,
    epoch: position.epoch,
    seq: position.seq,
    recovered: snapshot === undefined,
    executor,
    limits: ANNOUNCED_LIMITS,
    snapshot,
  });
}

/** A snapshot, where it stands in the log, and frames that complete it. */
export interface TakenSnapshot {
  readonly reading: SessionReading;
  readonly position: Position;
  readonly snapshot: Snapshot;
  /** Calls that were too large for the snapshot, as frames of their own. */
  readonly calls: readonly string[];
  /** What the executor has shown of questions that wait: for approvers that come late. */
  readonly previews: readonly string[];
}

/** Reads the session as it is; `undefined`: it was deleted. */
export async function takeSnapshot(store: SessionStore, ref: SessionRef): Promise<TakenSnapshot | undefined> {
  const reading = await store.read(ref, { historyItems: LIMITS.SNAPSHOT_HISTORY_ITEMS });
  if (reading === undefined) return undefined;
  const { meta } = reading;
  const { snapshot, leftOut } = buildSnapshot(reading, await readRunningTurn(store, meta));
  const open = reading.calls.filter(isOpen);
  const calls = open.filter(({ callId }) => leftOut.includes(callId)).map((record) => presentCall(record, 'hello', true));
  const previews = open.filter(({ state, preview }) => state === 'waiting_approval' && preview !== '').map(({ preview }) => preview);
  return { reading, position: { epoch: meta.epoch, seq: meta.seq }, snapshot, calls, previews };
}
