import { methods, RequestError, type AgentContext, type SessionUpdate } from '@agentclientprotocol/sdk';
import type { RequestPermissionRequest, RequestPermissionOutcome } from '@agentclientprotocol/sdk';
import { later } from '../chat/later.js';
import type { EditorAbilities } from '../../core/acp/describe-agent.js';

/** JSON-RPC's code for a request that was taken back. */
const REQUEST_CANCELLED = -32_800;

/** The editor at the other end, for one session. What it can't do is not asked of it: see `abilities`. */
export class Editor {
  /** Resolves when it knows the session: before that it is asked for nothing. */
  readonly ready: Promise<void>;
  /** It knows the session. */
  readonly open: () => void;
  private session = '';

  constructor(
    /** The connection to it. */
    readonly client: AgentContext,
    readonly abilities: EditorAbilities,
  ) {
    const { promise, resolve } = later<void>();
    [this.ready, this.open] = [promise, () => resolve()];
  }

  /** The session that everything is about; '' before it has a name. */
  get sessionId(): string {
    return this.session;
  }

  /** From now on the session has a name. */
  name(sessionId: string): void {
    this.session = sessionId;
  }

  /** Tells it something, in order. An editor that is gone hears nothing: the end of its connection ends the session. */
  update(update: SessionUpdate): void {
    void this.client.notify(methods.client.session.update, { sessionId: this.session, update }).catch(() => undefined);
  }

  /** Asks the person. A question that is taken back counts as dismissed. */
  async ask(question: Omit<RequestPermissionRequest, 'sessionId'>, signal: AbortSignal): Promise<RequestPermissionOutcome> {
    await this.ready;
    const asked = this.client.request(
      methods.client.session.requestPermission,
      { sessionId: this.session, ...question },
      { cancellationSignal: signal, stopWaitingOnCancel: true },
    );
    return asked.then(
      ({ outcome }) => outcome,
      (error: unknown) => {
        if (signal.aborted || (error instanceof RequestError && error.code === REQUEST_CANCELLED)) return { outcome: 'cancelled' };
        throw error;
      },
    );
  }
}
