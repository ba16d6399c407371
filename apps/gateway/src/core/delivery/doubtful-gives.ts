import type { SessionCalls, SessionRef } from '@codelab/bus';
import { readCallFrame } from './present-call.js';

/** Whom calls were given to, see `Receiver`. */
interface GivenTo {
  readonly name: string;
  readonly clientId?: string;
}

/**
 * Calls of which one client can't tell whether they are noted as given to it: the answer of the store was lost, and nothing was written. While it executes they
 * are given again. Once another does, nobody else may run what is noted, and this client has never heard of it.
 */
export class DoubtfulGives {
  private calls: ReadonlySet<string> = NONE;

  get areThere(): boolean {
    return this.calls.size > 0;
  }

  /** Notes a call as given, by `give`. */
  async giving(callId: string, give: () => Promise<boolean>): Promise<boolean> {
    this.doubt(callId);
    const given = await give();
    this.calls = new Set([...this.calls].filter((id) => id !== callId));
    return given;
  }

  /** What was noted was not written. */
  doubt(...callIds: readonly string[]): void {
    this.calls = new Set([...this.calls, ...callIds]);
  }

  /** Another executes: answers what is noted as given to this client, and what it has not said to have, in its place. Rejects with `BusError`. */
  async handBack(store: SessionCalls, ref: SessionRef, { name, clientId }: GivenTo): Promise<void> {
    const { calls } = this;
    if (calls.size === 0) return;
    for (const record of await store.readCalls(ref.sid)) {
      const { callId, fence, state, givenTo, progress } = record;
      if (!calls.has(callId) || state !== 'ready' || givenTo !== name || progress !== '') continue;
      const message = `${readCallFrame(record).tool_name} was not begun: another client executes now.`;
      const frame = JSON.stringify({ type: 'tool_result', call_id: callId, error: { code: 'CANCELLED', message }, fence });
      await store.settleCall(ref, { callId, fence, clientId, frame, errorCode: 'CANCELLED' });
    }
    if (this.calls === calls) this.calls = NONE;
  }
}

const NONE: ReadonlySet<string> = new Set();
