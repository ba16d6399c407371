import type { LoggedFrame, SessionMeta, SessionReads } from '@codelab/bus';

/** What the log tells of the turn that runs. */
export interface RunningTurn {
  readonly turn: Readonly<Record<string, unknown>>;
  /** The text that is being written, as far as the log has it. */
  readonly partial?: { readonly message_id: string; readonly text: string };
}

/** Frames of the log that are read first; a turn that is longer is read from further back. */
const FIRST_READ_FRAMES = 512;

interface TextPiece {
  readonly message_id: string;
  readonly token: string;
  readonly is_final: boolean;
}

/**
 * Reads from the log what a snapshot at `meta.seq` says of the running turn: the log is the only place where the text that clients have
 * been sent stands exactly. Of a turn whose beginning was trimmed only the id is known, and of a text whose beginning was trimmed nothing.
 */
export async function readRunningTurn(store: SessionReads, meta: SessionMeta): Promise<RunningTurn | undefined> {
  if (meta.turnId === '') return undefined;
  const status = meta.cancelTurnId === meta.turnId ? 'cancelling' : 'running';
  const base = { turn_id: meta.turnId, status };
  for (let frames = FIRST_READ_FRAMES; ; frames *= 4) {
    const from = Math.max(0, meta.seq - frames);
    const replay = await store.replay(meta.ref, { epoch: meta.epoch, seq: from });
    if (replay.kind === 'gone') return { turn: base };
    const found = findTurn(
      replay.frames.filter(({ seq }) => seq <= meta.seq),
      meta.turnId,
    );
    if (found !== undefined) return { turn: { ...base, ...found.started }, ...(found.partial ? { partial: found.partial } : {}) };
    if (from === 0) return { turn: base };
  }
}

/** `undefined`: the turn's beginning is not among the frames. */
function findTurn(frames: readonly LoggedFrame[], turnId: string) {
  let started: { readonly message_ids: readonly unknown[]; readonly model: unknown } | undefined;
  let partial: { message_id: string; text: string } | undefined;
  for (const { head, text } of frames) {
    if (head.type === 'turn_started') {
      const { message_ids, model } = JSON.parse(text) as NonNullable<typeof started>;
      started = head.turn_id === turnId ? { message_ids, model } : undefined;
      partial = undefined;
    } else if (head.type === 'turn_steered' && started !== undefined) {
      const { message_ids } = JSON.parse(text) as Pick<typeof started, 'message_ids'>;
      started = { ...started, message_ids: [...started.message_ids, ...message_ids] };
    } else if (head.type === 'assistant_message' && started !== undefined) {
      const piece = JSON.parse(text) as TextPiece;
      const before = partial?.message_id === piece.message_id ? partial.text : '';
      partial = piece.is_final ? undefined : { message_id: piece.message_id, text: before + piece.token };
    } else if (head.type === 'tool_call') {
      partial = undefined; // the text before a call is complete, and in the history
    }
  }
  return started === undefined ? undefined : { started, partial };
}
