import type { ChaosFrame } from '../../recording/chaos-event.js';

/** A call as a client sees it. */
export interface SeenCall {
  readonly callId: string;
  readonly args: object;
  readonly digest: string;
  /** `waiting_approval`, `ready`, `running` once it has written something, `answered`. */
  readonly state: string;
  readonly origin?: string;
}

/** What an observer knows of its session, out of snapshots and frames. */
export class SessionState {
  /** Turns that were seen, by how they ended; `gone`: a snapshot stood for its end, or the store lost it. */
  readonly turns = new Map<string, 'running' | 'completed' | 'failed' | 'cancelled' | 'gone'>();
  readonly turnOfMessage = new Map<string, string>();
  readonly calls = new Map<string, SeenCall>();
  /** Messages that wait. */
  waiting: ReadonlySet<string> = new Set();
  isWriting = false;

  take(frame: ChaosFrame): void {
    switch (frame.type) {
      case 'welcome':
        if (frame['recovered'] === false) this.begin(frame['snapshot'] as Snapshot | undefined);
        return;
      case 'message_accepted':
        if (!this.turns.has(String(frame['turn_id']))) this.turns.set(String(frame['turn_id']), 'running');
        this.turnOfMessage.set(String(frame['message_id']), String(frame['turn_id']));
        return;
      case 'turn_started':
      case 'turn_steered':
        this.turns.set(String(frame['turn_id']), 'running');
        for (const id of frame['message_ids'] as string[]) this.turnOfMessage.set(id, String(frame['turn_id']));
        return;
      case 'turn_ended':
        this.turns.set(String(frame['turn_id']), frame['status'] as 'completed');
        for (const id of frame['message_ids'] as string[]) this.turnOfMessage.set(id, String(frame['turn_id']));
        this.isWriting = false;
        return;
      case 'assistant_message':
        this.isWriting = frame['is_final'] !== true;
        return;
      case 'queue_updated':
        this.wait(frame as unknown as Snapshot);
        return;
      case 'tool_call':
        this.isWriting = false;
        this.see(frame as unknown as OpenCall);
        return;
      case 'tool_output': {
        const call = this.calls.get(String(frame['call_id']));
        if (call?.state === 'ready') this.calls.set(call.callId, { ...call, state: 'running' });
        return;
      }
      case 'approval_resolved':
        return this.resolve(frame);
    }
  }

  /** Whether the turn of a message is over: it ended, or was lost. */
  isOver(messageId: string): boolean {
    const turn = this.turnOfMessage.get(messageId);
    return turn !== undefined && this.turns.get(turn) !== 'running' && !this.waiting.has(messageId);
  }

  private begin(snapshot: Snapshot | undefined): void {
    const running = snapshot?.turn?.turn_id;
    const waits = new Set([...(snapshot?.queue ?? []), ...(snapshot?.steering ?? [])].map(({ message_id: id }) => id));
    for (const [turn, status] of this.turns) {
      const hasWaiting = [...this.turnOfMessage].some(([id, of]) => of === turn && waits.has(id));
      if (status === 'running' && turn !== running && !hasWaiting) this.turns.set(turn, 'gone');
    }
    if (running !== undefined) this.turns.set(running, 'running');
    this.calls.clear();
    for (const call of snapshot?.open_calls ?? []) this.see(call);
    this.wait(snapshot ?? {});
    this.isWriting = snapshot?.partial !== undefined;
  }

  private wait({ queue = [], steering = [] }: Snapshot): void {
    this.waiting = new Set([...queue, ...steering].map(({ message_id: id }) => id));
  }

  private see({ call_id: callId, args, args_sha256: digest, state, origin }: OpenCall): void {
    this.calls.set(callId, { callId, args, digest, state, origin });
  }

  private resolve(frame: ChaosFrame): void {
    const call = this.calls.get(String(frame['call_id']));
    const runs = frame['outcome'] === 'approved' || frame['outcome'] === 'edited';
    if (call !== undefined) this.calls.set(call.callId, { ...call, state: runs ? 'ready' : 'answered' });
  }
}

interface OpenCall {
  readonly call_id: string;
  readonly args: object;
  readonly args_sha256: string;
  readonly state: string;
  readonly origin?: string;
}

interface Snapshot {
  readonly turn?: { readonly turn_id: string };
  readonly open_calls?: readonly OpenCall[];
  readonly queue?: readonly { readonly message_id: string }[];
  readonly steering?: readonly { readonly message_id: string }[];
  readonly partial?: object;
}
