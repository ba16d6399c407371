import type { ClientFrame } from '@codelab/protocol';
import type { LoggedFrame, SessionRef } from '@codelab/bus';
import type { Caller } from '../caller.js';
import { withoutSeq } from '../delivery/without-seq.js';
import type { GatewayPorts } from '../gateway-ports.js';
import { handleForOwner, type OwnersOutcome } from '../handlers/handle-for-owner.js';
import type { Handlers, Outcome, SessionFrameType } from '../handlers/handler.js';
import { dispatch } from '../handlers/index.js';
import type { Outbox } from '../outbox/outbox.js';
import type { SessionReader } from '../reading/session-reader.js';
import type { OpenState } from './connection-state.js';
import { about, idOf, INTERNAL, refusalOf } from './refusals.js';

type SessionFrame = Extract<ClientFrame, { type: SessionFrameType }>;

/** The frames whose answer is a frame of the log that the asker may not have named in its capabilities. */
const HELD: ReadonlySet<string> = new Set(['queue_remove', 'switch_agent']);

/** Handles the frames of one connection about its session, or about a child of it. */
export class SessionFrames {
  constructor(
    private readonly ports: GatewayPorts,
    private readonly handlers: Handlers,
    private readonly outbox: Outbox,
    private readonly connection: string,
  ) {}

  /** Never rejects. An answer that stands in a log comes by its reader, in its place. */
  async handle(frame: SessionFrame, { identity, session, reader, clientId }: OpenState): Promise<Outcome> {
    const caller = { identity, session, connection: this.connection, isExecutor: reader.isExecutor, clientId };
    const isHeld = HELD.has(frame.type);
    if (isHeld) reader.hold();
    const { outcome, child } = await this.dispatchToOwner(frame, caller, reader);
    const logged = outcome.ok && outcome.answer.kind === 'logged' ? outcome.answer.frame : undefined;
    if (isHeld) reader.release(logged);
    else if (child === undefined) reader.expect(logged);
    else if (logged !== undefined) this.expectOfChild(reader, child, logged);
    return outcome.ok ? outcome : about(frame.type, outcome);
  }

  private async dispatchToOwner(frame: SessionFrame, caller: Caller, { children }: SessionReader): Promise<OwnersOutcome> {
    try {
      if (!('call_id' in frame)) return { outcome: await dispatch(this.handlers, frame, caller) };
      const call = { callId: frame.call_id, known: children?.find(frame.call_id) };
      return await handleForOwner(this.ports, caller, call, (owner) => dispatch(this.handlers, frame, owner));
    } catch (error) {
      const refusal = refusalOf(error, frame);
      if (refusal !== undefined) return { outcome: refusal };
      this.ports.logger.error({ event: 'frame.fault', type: frame.type, connection: this.connection, err: error });
      return { outcome: { ...INTERNAL, replyTo: idOf(frame) } };
    }
  }

  /** The answer stands in the log of a child: it comes in its place there, or by itself where nothing of it is shown any more. */
  private expectOfChild({ children }: SessionReader, child: SessionRef, logged: LoggedFrame): void {
    const shown = children?.of(child);
    if (shown === undefined) this.outbox.answer(withoutSeq(logged.text));
    else shown.expect(logged);
  }
}
