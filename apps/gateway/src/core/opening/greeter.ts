import { LIMITS, type Snapshot } from '@codelab/protocol';
import type { Position, SessionReading, SessionStore } from '@codelab/bus';
import { buildSnapshot } from '../snapshot/build-snapshot.js';
import { encodeServerFrame } from '../delivery/encode-server-frame.js';
import { isOpen, presentCall } from '../delivery/present-call.js';
import type { ReaderOptions } from '../reading/reader-options.js';
import type { SessionWriter } from '../reading/session-writer.js';
import type { SessionRoom } from '../session/session-room.js';
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
  max_facts_bytes: LIMITS.MAX_FACTS_BYTES,
  max_changed_tools_bytes: LIMITS.MAX_TOOLS_BYTES,
  min_deadline_ms: LIMITS.MIN_DEADLINE_MS,
};

/** A client that said `hello`, and the session that it is greeted by. */
export interface Greeted {
  readonly room: SessionRoom;
  readonly writer: SessionWriter;
  readonly hello: NonNullable<ReaderOptions['hello']>;
}

/**
 * Greets it. Whatever comes before stands in the greeting.
 * @param position the last frame of the log that the client has after this, and after `snapshot` or a replay
 */
export function sayWelcome({ room, writer, hello }: Greeted, position: Position, snapshot?: Snapshot): void {
  const text = encodeServerFrame({
    type: 'welcome',
    session_id: room.ref.sessionId,
    protocol_version: hello.protocolVersion,
    epoch: position.epoch,
    seq: position.seq,
    recovered: snapshot === undefined,
    executor: nameExecutor(hello, room.executor),
    limits: ANNOUNCED_LIMITS,
    snapshot,
  });
  writer.say('welcome', text);
}

/** The session has another executor. */
export function tellExecutor({ writer, hello }: Omit<Greeted, 'room'>, executor: string): void {
  writer.say('executor_changed', encodeServerFrame({ type: 'executor_changed', executor: nameExecutor(hello, executor) }));
}

/**
 * Sends a snapshot, and frames that complete it: calls that were too large for it, and what the executor has shown of questions that wait.
 * @param getsCalls whether the client is given all open calls afterwards
 * @returns what the snapshot was made of; `undefined`: the session was deleted
 */
export async function showSession(store: SessionStore, greeted: Greeted, getsCalls: () => boolean): Promise<SessionReading | undefined> {
  const { room, writer } = greeted;
  const reading = await room.believe(store.read(room.ref, { historyItems: LIMITS.SNAPSHOT_HISTORY_ITEMS }), ({ meta }) => meta.executor);
  if (reading === undefined) return undefined;
  const { meta, calls } = reading;
  const { snapshot, leftOut } = buildSnapshot(reading, await readRunningTurn(store, meta));
  writer.resumeAfter(meta.seq);
  sayWelcome(greeted, { epoch: meta.epoch, seq: meta.seq }, snapshot);
  const open = calls.filter(isOpen);
  if (!getsCalls()) for (const call of open) if (leftOut.includes(call.callId)) writer.say('tool_call', presentCall(call, 'hello', true));
  for (const { state, preview } of open) if (state === 'waiting_approval' && preview !== '') writer.say('approval_updated', preview);
  return reading;
}

const nameExecutor = ({ clientId }: Greeted['hello'], executor: string): 'you' | 'other' | 'none' =>
  executor === '' ? 'none' : executor === clientId ? 'you' : 'other';
