import { createHash } from 'node:crypto';
import { ownerHash, type ChildSessions, type Owner, type SessionMeta, type SessionReads, type SessionCalls, type Sid } from '@codelab/bus';
import type { Clock } from '@codelab/clock';
import type { CallRecord } from '@codelab/protocol';

/** Sessions that are looked at: those that were used last. */
const MAX_SESSIONS = 500;

/** Questions of one answer. */
const MAX_QUESTIONS = 200;

/** Characters of them; the first one is shown whatever it has. */
const MAX_CHARACTERS = 4 * 1024 * 1024;

/** How often it is looked while somebody waits, in milliseconds. One look serves all who wait for the same person. */
const LOOK_MS = 1_500;

/** A question, and the session in which it was asked. */
export interface InboxItem {
  readonly session: SessionMeta;
  readonly call: CallRecord;
  /** Whether the executor of the session is connected: without it an approval has no effect yet. */
  readonly isConnected: boolean;
}

/** What waits for a person in all of their sessions. */
export interface Inbox {
  /** Names this state: another one after any change. */
  readonly revision: string;
  readonly items: readonly InboxItem[];
  /** There are more. */
  readonly truncated: boolean;
}

/** What is read. */
export interface InboxPorts {
  readonly store: Pick<SessionReads, 'listRefs' | 'readMeta'> & Pick<SessionCalls, 'readWaiting'>;
  readonly children: Pick<ChildSessions, 'of' | 'connected' | 'present'>;
  readonly clock: Clock;
}

/** Waiters of one person. */
interface Watch {
  readonly waiters: Set<(inbox: Inbox) => void>;
  callOff: () => void;
}

/**
 * The questions that wait in all sessions of a person. They are found by looking at each session for an open call, so that nothing has to be kept
 * beside them; of a call that doesn't wait nothing but its state is read. Who wants to hear of changes waits here, and costs one look in a while however many wait. Methods throw `BusError`.
 */
export class ApprovalInbox {
  private readonly looks = new Map<string, Promise<Inbox>>();
  private readonly watches = new Map<string, Watch>();
  private readonly stopping = new AbortController();

  constructor(private readonly ports: InboxPorts) {}

  /** What waits now. Those who ask at the same time share one look. */
  read(owner: Owner): Promise<Inbox> {
    const key = ownerHash(owner);
    const running = this.looks.get(key);
    if (running !== undefined) return running;
    const look = this.look(owner).finally(() => this.looks.delete(key));
    this.looks.set(key, look);
    return look;
  }

  /** What waits as soon as it isn't `since` any more, or after `waitMs`, or when the signal fires. */
  async change(owner: Owner, since: string, options: { readonly waitMs: number; readonly signal: AbortSignal }): Promise<Inbox> {
    const signal = AbortSignal.any([options.signal, this.stopping.signal]);
    const { waitMs } = options;
    const now = await this.read(owner);
    if (now.revision !== since || waitMs === 0 || signal.aborted) return now;
    return new Promise((resolve) => {
      let last = now;
      const settle = (): void => {
        callOff();
        signal.removeEventListener('abort', settle);
        this.leave(owner, hear);
        resolve(last);
      };
      const hear = (inbox: Inbox): void => {
        last = inbox;
        if (inbox.revision !== since) settle();
      };
      const callOff = this.ports.clock.after(waitMs, settle);
      signal.addEventListener('abort', settle, { once: true });
      this.enter(owner, hear);
    });
  }

  /** Answers everybody who waits: this process goes away. */
  stop(): void {
    this.stopping.abort();
  }

  private enter(owner: Owner, hear: (inbox: Inbox) => void): void {
    const key = ownerHash(owner);
    const known = this.watches.get(key);
    if (known !== undefined) return void known.waiters.add(hear);
    const watch: Watch = { waiters: new Set([hear]), callOff: () => undefined };
    this.watches.set(key, watch);
    this.lookLater(owner, watch);
  }

  private leave(owner: Owner, hear: (inbox: Inbox) => void): void {
    const key = ownerHash(owner);
    const watch = this.watches.get(key);
    watch?.waiters.delete(hear);
    if (watch === undefined || watch.waiters.size > 0) return;
    watch.callOff();
    this.watches.delete(key);
  }

  private lookLater(owner: Owner, watch: Watch): void {
    watch.callOff = this.ports.clock.after(LOOK_MS, () => {
      this.read(owner)
        .then((inbox) => [...watch.waiters].forEach((hear) => hear(inbox)))
        .catch(() => undefined) // the store is away: who waits hears of it with the next request
        .finally(() => watch.waiters.size > 0 && this.lookLater(owner, watch));
    });
  }

  private async look(owner: Owner): Promise<Inbox> {
    const { store, children } = this.ports;
    const [used, connected] = await Promise.all([store.listRefs(owner, { limit: MAX_SESSIONS }), children.connected(owner)]);
    const known = new Map(connected.map((meta) => [meta.ref.sid, meta]));
    const refs = [...new Map([...used, ...connected.map(({ ref }) => ref)].map((ref) => [ref.sid, ref])).values()];
    const programs = await children.of(refs);
    const asking = refs.map((ref, at) => ({ ref, sids: [ref.sid, ...programs[at]!.map(({ sid }) => sid)] }));
    const waiting = new Map<Sid, readonly CallRecord[]>();
    const sids = [...new Set(asking.flatMap((one) => one.sids))];
    for (const [at, calls] of (await store.readWaiting(sids)).entries()) waiting.set(sids[at]!, calls);
    const found = await Promise.all(
      asking.map(async ({ ref, sids: [own, ...others] }) => {
        const [ownCalls, otherCalls] = [waiting.get(own!) ?? [], others.flatMap((sid) => waiting.get(sid) ?? [])];
        if (ownCalls.length + otherCalls.length === 0) return [];
        const session = known.get(ref.sid) ?? (await store.readMeta(ref));
        if (session === undefined || session.child !== undefined) return []; // a child is nobody's to name: its parent has it
        const calls = [...(session.turnId === '' ? [] : ownCalls), ...otherCalls];
        return calls.map((call) => ({ session, call }));
      }),
    );
    const present = await children.present(found.flatMap(([first]) => (first === undefined ? [] : [first.session.ref])));
    const withCalls = found.filter(({ length }) => length > 0);
    const items = withCalls.flatMap((calls, at) => calls.map((call): InboxItem => ({ ...call, isConnected: present[at] === true })));
    const shown = withinBounds(items);
    return { revision: revisionOf(items), items: shown, truncated: items.length > shown.length };
  }
}

/** As many as one answer carries (G4). */
function withinBounds(items: readonly InboxItem[]): readonly InboxItem[] {
  let characters = 0;
  return items.filter(({ call }, at) => {
    characters += call.frame.length + call.preview.length;
    return at === 0 || (at < MAX_QUESTIONS && characters <= MAX_CHARACTERS);
  });
}

/** A digest of all that an answer shows. */
function revisionOf(items: readonly InboxItem[]): string {
  const hash = createHash('sha256');
  for (const { session, call, isConnected } of items) {
    const { ref, title, agent, workspace } = session;
    const shown = [ref.sessionId, title, agent, workspace, call.callId, call.argsSha256, call.preview, String(isConnected)];
    hash.update(JSON.stringify(shown));
  }
  return hash.digest('base64url').slice(0, 22);
}
