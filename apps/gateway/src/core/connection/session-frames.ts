import type { ClientFrame, ClientFrameOf } from '@codelab/protocol';
import type { Caller } from '../caller.js';
import type { GatewayPorts } from '../gateway-ports.js';
import { handleForOwner, type OwnersOutcome } from '../handlers/handle-for-owner.js';
import type { Handlers, SessionFrameType } from '../handlers/handler.js';
import type { Outcome } from '../handlers/outcome.js';
import { createHandlers } from '../handlers/index.js';
import type { SessionReader } from '../reading/session-reader.js';
import type { OpenState } from './connection-state.js';
import { about, idOf, INTERNAL, refusalOf } from '../refusals.js';

type SessionFrame = Extract<ClientFrame, { type: SessionFrameType }>;

/** The frames whose answer is a frame of the log that the asker may not have named in its capabilities. */
const HELD: ReadonlySet<string> = new Set(['queue_remove', 'switch_agent']);

/** Handles the frames of connections about their sessions, or about children of these; one for all. */
export class SessionFrames {
  private readonly handlers: Handlers;

  constructor(private readonly ports: GatewayPorts) {
    this.handlers = createHandlers(ports);
  }

  /** Never rejects. An answer that stands in a log comes by its reader, in its place. */
  async handle(frame: SessionFrame, { identity, session, reader, clientId }: OpenState): Promise<Outcome> {
    const caller = { identity, session, connection: reader.connection, isExecutor: reader.isExecutor, clientId };
    const isHeld = HELD.has(frame.type);
    if (frame.type === 'tools_changed') reader.expectTools(frame.tools); // before a model can be offered them
    if (isHeld) reader.hold();
    const { outcome, child } = await this.dispatchTraced(frame, caller, reader);
    if (frame.type === 'tools_changed' && outcome.ok) reader.changeTools(frame.tools);
    const logged = outcome.ok && outcome.answer.kind === 'logged' ? outcome.answer.frame : undefined;
    if (isHeld) reader.release(logged);
    else if (child === undefined) reader.expect(logged);
    else if (logged !== undefined) reader.expectOfChild(child, logged);
    return outcome.ok ? outcome : about(frame.type, outcome);
  }

  private async dispatchTraced(frame: SessionFrame, caller: Caller, reader: SessionReader): Promise<OwnersOutcome> {
    const { traces } = this.ports;
    if (traces === undefined) return this.dispatchToOwner(frame, caller, reader);
    let owners: OwnersOutcome | undefined;
    const outcome = await traces.record(frame, caller.session, async () => {
      owners = await this.dispatchToOwner(frame, caller, reader);
      return owners.outcome;
    });
    return { ...owners, outcome };
  }

  private async dispatchToOwner(frame: SessionFrame, caller: Caller, { children }: SessionReader): Promise<OwnersOutcome> {
    try {
      if (!('call_id' in frame)) return { outcome: await dispatch(this.handlers, frame, caller) };
      const call = { callId: frame.call_id, known: children?.find(frame.call_id) };
      return await handleForOwner(this.ports, caller, call, (owner) => dispatch(this.handlers, frame, owner));
    } catch (error) {
      const refusal = refusalOf(error, frame);
      if (refusal !== undefined) return { outcome: refusal };
      this.ports.logger.error({ event: 'frame.fault', type: frame.type, connection: caller.connection, err: error });
      return { outcome: { ...INTERNAL, replyTo: idOf(frame) } };
    }
  }
}

/** Hands a frame to its handler. */
const dispatch = <Type extends SessionFrameType>(handlers: Handlers, frame: ClientFrameOf<Type>, caller: Caller): Promise<Outcome> =>
  handlers[frame.type](frame, caller);
