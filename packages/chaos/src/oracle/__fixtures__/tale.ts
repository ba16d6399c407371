import type { ChaosEvent, ChaosEventBody, ChaosFrame, ObserverRole } from '../../recording/chaos-event.js';
import type { Canary } from '../../workload/script/owners.js';
import { digestOf } from '../canonical-digest.js';
import { judge, type Violation } from '../index.js';

export const CANARIES: readonly Canary[] = [
  { text: 'tok.ada', what: 'the token of ada' },
  { text: 'word-of-ada', what: 'what ada says', owner: 'ada' },
  { text: 'word-of-bob', what: 'what bob says', owner: 'bob' },
];

/** A recording written by hand: events one after the other, 10 ms apart unless said otherwise. */
export class Tale {
  readonly events: ChaosEvent[] = [];
  private now = 0;

  constructor() {
    this.observer('watcher', 'watcher').observer('client', 'executor').observer('replay/s1', 'auditor').observer('spy', 'thief', 'bob');
  }

  /** Lets time pass. */
  after(ms: number): this {
    this.now += ms;
    return this;
  }

  add(...events: readonly ChaosEventBody[]): this {
    for (const event of events) {
      this.now += 10;
      this.events.push({ at: this.now, ...event });
    }
    return this;
  }

  observer(observer: string, role: ObserverRole, owner = 'ada'): this {
    return this.add({ kind: 'observer', observer, role, owner, session: 's1' });
  }

  /** A frame that an observer is told. */
  told(observer: string, frame: ChaosFrame, connection = 1): this {
    return this.add({ kind: 'frame', observer, connection, direction: 'in', frame });
  }

  said(observer: string, frame: ChaosFrame, connection = 1): this {
    return this.add({ kind: 'frame', observer, connection, direction: 'out', frame });
  }

  welcome(observer: string, more: object = {}, connection = 1): this {
    return this.told(observer, { type: 'welcome', epoch: 'e1', seq: 0, recovered: false, snapshot: {}, ...more }, connection);
  }

  run(callId: string, args: object, error?: string): this {
    const about = { kind: 'run', observer: 'client', session: 's1', callId, tool: 'run_command' } as const;
    return this.add({ ...about, what: 'begin', args }, { ...about, what: 'end', ok: error === undefined, error });
  }

  effect(mark: string): this {
    return this.add({ kind: 'effect', session: 's1', mark, tool: 'run_command', what: 'a line in marks.log' });
  }

  settled(): this {
    return this.add({ kind: 'phase', what: 'settled' });
  }

  /** What one promise finds. */
  broken(promise: string): readonly Violation[] {
    return judge(this.events, { canaries: CANARIES }).filter((one) => one.promise === promise);
  }
}

/** Arguments of a command that leaves a mark. */
export const leaving = (mark: string): { readonly command: string } => ({ command: `echo ${mark} >> marks.log` });

/** A call of such a command. */
export const call = (callId: string, mark: string, more: object = {}): ChaosFrame => ({
  ...{ type: 'tool_call', seq: 2, call_id: callId, tool_name: 'run_command', args: leaving(mark), args_sha256: digestOf(leaving(mark)) },
  ...{ idempotency: 'unsafe', state: 'ready', ...more },
});

export const turn = (type: 'turn_started' | 'turn_ended', seq: number, more: object = {}): ChaosFrame => ({
  ...{ type, seq, turn_id: 't1', message_ids: ['m1'], ...(type === 'turn_ended' && { status: 'completed' }), ...more },
});
