import type { CodeLabClient, MessageOptions } from '@codelab/client';
import type { ServerFrameOf } from '@codelab/protocol';
import { randomUUID } from 'node:crypto';

/** How the turn of a prompt ended. `cancelled` also where the servers have not said so in time. */
export type TurnEnd = ServerFrameOf<'turn_ended'> | 'cancelled';

/** A prompt that is being carried out. */
export interface TurnWait {
  readonly messageId: string;
  /** Resolves when somebody stops it. */
  readonly cancelled: Promise<void>;
  /** Sends its message and waits for the end of the turn that answers it. */
  send(content: string, options: MessageOptions): Promise<TurnEnd>;
  /** Nobody waits for it any more. */
  end(): void;
}

/** A prompt that was cancelled is answered within a second, whatever the servers do. */
const CANCEL_MS = 900;

interface Waiting {
  readonly cancel: () => Promise<void>;
  readonly settle: (end: TurnEnd) => void;
  readonly fail: (why: Error) => void;
}

/** The prompts of a session that wait for the end of their turns. */
export class TurnWaits {
  private readonly waiting = new Map<string, Waiting>();

  constructor(private readonly client: () => CodeLabClient) {}

  begin(): TurnWait {
    const messageId = randomUUID();
    let [stop, settle, fail]: [() => void, (end: TurnEnd) => void, (why: Error) => void] = [noop, noop, noop];
    const cancelled = new Promise<void>((resolve) => (stop = resolve));
    const ended = new Promise<TurnEnd>((resolve, reject) => ([settle, fail] = [resolve, reject]));
    ended.catch(noop); // who waits hears it by `send`
    let sent: ReturnType<CodeLabClient['sendMessage']> | undefined;
    let isCancelled = false;
    const takeBack = async (): Promise<void> => {
      const accepted = await sent?.catch(() => undefined); // a message that was refused runs nothing
      if (accepted === undefined) return;
      const client = this.client();
      if (accepted.state === 'queued') await client.removeQueued(messageId).catch(() => client.cancel(accepted.turn_id)); // or it has begun meanwhile
      else await client.cancel(accepted.turn_id, { queue: true });
    };
    const cancel = async (): Promise<void> => {
      isCancelled = true;
      stop();
      const late = setTimeout(() => settle('cancelled'), CANCEL_MS);
      if (sent === undefined) settle('cancelled');
      await takeBack().catch(noop); // the turn had ended: the frame that says so settles it
      void ended.catch(noop).finally(() => clearTimeout(late));
    };
    this.waiting.set(messageId, { cancel, settle, fail });
    return {
      messageId,
      cancelled,
      send: async (content, options) => {
        if (isCancelled) return 'cancelled';
        sent = this.client().sendMessage(content, { ...options, messageId });
        sent.catch((error: Error) => fail(error));
        return ended;
      },
      end: () => void this.waiting.delete(messageId),
    };
  }

  /** A turn has ended. */
  settle(frame: ServerFrameOf<'turn_ended'>): void {
    for (const messageId of frame.message_ids) this.waiting.get(messageId)?.settle(frame);
  }

  /** Stops all of them. Resolves when the servers know, or can't be told. */
  async cancel(): Promise<void> {
    await Promise.all([...this.waiting.values()].map((wait) => wait.cancel()));
  }

  /** None of them will end. */
  fail(why: Error): void {
    for (const wait of this.waiting.values()) wait.fail(why);
  }
}

const noop = (): void => undefined;
