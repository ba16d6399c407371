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
  min_deadline_ms: LIMITS.MIN_DEADLINE_MS,
};

/** Greets a client that said `hello`, and shows it the session as it is where no replay does. */
export class Greeter {
  private hasSaidWelcome = false;

  constructor(
    private readonly store: SessionStore,
    private readonly room: SessionRoom,
    private readonly writer: SessionWriter,
    private readonly hello: NonNullable<ReaderOptions['hello']>,
  ) {}

  /** The client has its `welcome`: whatever comes before stands in it. */
  get hasGreeted(): boolean {
    return this.hasSaidWelcome;
  }

  /** @param position the last frame of the log that the client has after this, and after `snapshot` or a replay */
  welcome(position: Position, snapshot?: Snapshot): void {
    this.hasSaidWelcome = true;
    const text = encodeServerFrame({
      type: 'welcome',
      session_id: this.room.ref.sessionId,
      protocol_version: this.hello.protocolVersion,
      epoch: position.epoch,
      seq: position.seq,
      recovered: snapshot === undefined,
      executor: this.nameExecutor(this.room.executor),
      limits: ANNOUNCED_LIMITS,
      snapshot,
    });
    this.writer.say('welcome', text);
  }

  /** The session has another executor. */
  tellExecutor(executor: string): void {
    this.writer.say('executor_changed', encodeServerFrame({ type: 'executor_changed', executor: this.nameExecutor(executor) }));
  }

  /**
   * Sends a snapshot, and frames that complete it: calls that were too large for it, and what the executor has shown of questions that wait.
   * @param getsCalls whether the client is given all open calls afterwards
   * @returns what the snapshot was made of; `undefined`: the session was deleted
   */
  async showSession(getsCalls: () => boolean): Promise<SessionReading | undefined> {
    const reading = await this.store.read(this.room.ref, { historyItems: LIMITS.SNAPSHOT_HISTORY_ITEMS });
    if (reading === undefined) return undefined;
    const { meta, calls } = reading;
    const { snapshot, leftOut } = buildSnapshot(reading, await readRunningTurn(this.store, meta));
    this.writer.resumeAfter(meta.seq);
    this.welcome({ epoch: meta.epoch, seq: meta.seq }, snapshot);
    const open = calls.filter(isOpen);
    if (!getsCalls())
      for (const call of open) if (leftOut.includes(call.callId)) this.writer.say('tool_call', presentCall(call, 'hello', true));
    for (const { state, preview } of open) if (state === 'waiting_approval' && preview !== '') this.writer.say('approval_updated', preview);
    return reading;
  }

  private nameExecutor(executor: string): 'you' | 'other' | 'none' {
    return executor === '' ? 'none' : executor === this.hello.clientId ? 'you' : 'other';
  }
}
