import type { ServerFrame } from '@codelab/protocol';

/** What was seen of a call from outside, in Unix milliseconds. */
export interface CallTimes {
  readonly startedAtMs: number;
  readonly endedAtMs?: number;
  /** Time spent waiting for a decision. */
  readonly approvalWaitMs?: number;
  readonly round: number;
}

/** Where a call stands, in words for the caller. */
export type CallProgress = { readonly call_id: string; readonly name: string; readonly round: number } & {
  readonly state: 'waiting_approval' | 'running' | 'done' | 'failed';
};

interface Seen {
  readonly name: string;
  readonly round: number;
  readonly startedAtMs: number;
  askedAtMs: number | undefined;
  waitedMs: number | undefined;
  endedAtMs: number | undefined;
}

const ENDS: ReadonlyMap<string, 'done' | 'failed'> = new Map([
  ['done', 'done'],
  ['errored', 'failed'],
  ['canceled', 'failed'],
]);

/** Follows the calls of a turn by its frames: when each began, how long it waited for a decision, when it ended. */
export class CallClock {
  private readonly seen = new Map<string, Seen>();
  private round = 0;

  constructor(private readonly now: () => number) {}

  /** Takes a frame; answers what it means for a call, if anything. */
  take(frame: ServerFrame): CallProgress | undefined {
    switch (frame.type) {
      case 'tool_call':
        return this.begin(frame.call_id, frame.tool_name, frame.state === 'waiting_approval');
      case 'approval_resolved':
        return this.decide(frame.call_id, frame.outcome === 'approved' || frame.outcome === 'edited');
      case 'tool_status':
        return this.end(frame.call_id, ENDS.get(frame.status));
      default:
        return undefined;
    }
  }

  timesOf(callId: string): CallTimes | undefined {
    const seen = this.seen.get(callId);
    if (seen === undefined) return undefined;
    const { startedAtMs, endedAtMs, waitedMs, round } = seen;
    return {
      ...{ startedAtMs, round },
      endedAtMs,
      approvalWaitMs: waitedMs,
    };
  }

  private begin(callId: string, name: string, isAsked: boolean): CallProgress | undefined {
    const known = this.seen.get(callId);
    // calls of one answer begin together, and the model is asked again when all of them have ended
    if (known === undefined && [...this.seen.values()].every(({ endedAtMs }) => endedAtMs !== undefined)) this.round += 1;
    const now = this.now();
    const seen = known ?? { name, round: this.round, startedAtMs: now, askedAtMs: undefined, waitedMs: undefined, endedAtMs: undefined };
    if (isAsked) seen.askedAtMs = now;
    this.seen.set(callId, seen);
    return this.tell(callId, seen, isAsked ? 'waiting_approval' : 'running');
  }

  private decide(callId: string, mayRun: boolean): CallProgress | undefined {
    const seen = this.seen.get(callId);
    if (seen?.askedAtMs === undefined) return undefined;
    seen.waitedMs = (seen.waitedMs ?? 0) + this.now() - seen.askedAtMs;
    seen.askedAtMs = undefined;
    return mayRun ? this.tell(callId, seen, 'running') : undefined;
  }

  private end(callId: string, state: 'done' | 'failed' | undefined): CallProgress | undefined {
    const seen = this.seen.get(callId);
    if (seen === undefined || state === undefined || seen.endedAtMs !== undefined) return undefined;
    seen.endedAtMs = this.now();
    return this.tell(callId, seen, state);
  }

  private tell(callId: string, { name, round }: Seen, state: CallProgress['state']): CallProgress {
    return { call_id: callId, name, round, state };
  }
}
