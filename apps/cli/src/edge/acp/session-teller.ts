import type { SessionUpdate } from '@agentclientprotocol/sdk';
import { EMPTY_VIEW, isSettled, reduceSession, type CallItem, type Item, type SessionEvent, type SessionView } from '@codelab/client/view';
import { updatesBetween, type TellingPlace } from '../../core/acp/session-updates.js';

/** What a call prints is told so often at most: each time all that is shown of it goes. */
const PRINT_MS = 100;

interface Ports {
  readonly place: TellingPlace;
  readonly send: (update: SessionUpdate) => void;
  /** Hears each view that is new. */
  readonly onView: (view: SessionView, before: SessionView) => void;
}

/** Holds the view of a session, and tells the editor what is new in it. Nothing is told before `begin`. */
export class SessionTeller {
  private current = EMPTY_VIEW;
  private told = EMPTY_VIEW;
  private begun = false;
  private timer: NodeJS.Timeout | undefined;

  constructor(private readonly ports: Ports) {}

  get view(): SessionView {
    return this.current;
  }

  /** A call, as it stands. */
  call(callId: string): CallItem | undefined {
    return this.current.items.findLast((item): item is CallItem => item.kind === 'call' && item.callId === callId);
  }

  /** Takes something that happened. */
  tell(event: SessionEvent): void {
    const before = this.current;
    this.current = reduceSession(before, event);
    if (this.current === before) return;
    if (event.kind === 'call_printed' || (event.kind === 'frame' && event.frame.type === 'tool_output')) {
      this.timer ??= setTimeout(() => this.flush(), PRINT_MS);
    } else this.flush();
    this.ports.onView(this.current, before);
  }

  /**
   * From now on the editor hears of everything; a second time changes nothing.
   * @param replays what is there already is told, too; else only of it what is not over
   */
  begin(replays: boolean): void {
    if (this.begun) return;
    const isOver = (item: Item): boolean => item.kind !== 'call' || isSettled(item);
    if (!replays) this.told = { ...this.current, items: this.current.items.filter(isOver) };
    this.begun = true;
    this.flush();
  }

  /** Tells what is new. */
  flush(): void {
    clearTimeout(this.timer);
    this.timer = undefined;
    if (!this.begun) return;
    const before = this.told;
    this.told = this.current;
    for (const update of updatesBetween(before, this.current, this.ports.place)) this.ports.send(update);
  }

  close(): void {
    clearTimeout(this.timer);
    this.begun = false;
  }
}
