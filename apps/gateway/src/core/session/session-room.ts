import { sessionRef, type Aside, type SessionMeta, type SessionRef, type SessionSignal } from '@codelab/bus';
import type { Envelope } from '@codelab/protocol';
import type { Role } from '../delivery/delivery.js';

/** The name under which all clients without identity execute. */
export const SEED = 'seed';

/** One connection, as its session sees it. */
export interface Member {
  /** Names the connection. */
  readonly connection: string;
  /** `client_id`, or {@link SEED}. */
  readonly client: string;
  /** It declared tools, or is a seed client: calls can be given to it. */
  readonly executes: boolean;
  /** A frame outside of the log. */
  onRelayed(frame: Envelope): void;
  /** The session has another executor. */
  onExecutor(executor: string): void;
  /** Calls of this client come to this connection now, because a newer one is gone. */
  onNewest(): void;
  /** The executor is gone: this client is the next one, if the store agrees. */
  succeed(executor: string): void;
  /** A program runs something in this session. Said more than once. */
  onChild(child: SessionRef): void;
}

/** Time for another process to say that a connection is there. */
const ANSWER_MS = 2_000;
/** Children that a room knows between two looks at the list of them. */
const MAX_KNOWN_CHILDREN = 128;
const NONE: readonly SessionRef[] = [];

/**
 * A session that connections of this process watch: it knows who executes, and which
 * connection of a client is the newest one.
 */
export class SessionRoom {
  /** Connections have no place of their own in it; they are here for its parent. */
  readonly isChild: boolean;
  /** Of the hub: readers that have it open. */
  users = 0;
  /** Of the hub: settles when the subscription stands; absent once it does. */
  listening: Promise<void> | undefined = undefined;
  /** Of the hub: others were told that the executor is connected here. */
  isAnnounced = false;
  /** How often was learned who executes. */
  heardOfExecutor = 0;
  private members: readonly Member[] = [];
  private runningChildren = NONE;
  /** The newest executing connection of each client, in this process or another: client, connection, client, connection … */
  private newest: readonly string[] = [];
  /** When other processes were asked for the newest connection of the executor; absent while nobody waits for an answer. */
  private askedAtMs: number | undefined = undefined;
  private currentExecutor: string;

  constructor(
    readonly ref: SessionRef,
    { executor, child }: Pick<SessionMeta, 'executor' | 'child'>,
    private readonly board: { publish(ref: SessionRef, signal: SessionSignal): Promise<boolean>; onMembers(room: SessionRoom): void },
  ) {
    this.isChild = child !== undefined;
    this.currentExecutor = executor;
  }

  /** `client_id` of the executor, {@link SEED}, or '' for none. */
  get executor(): string {
    return this.currentExecutor;
  }

  /** The executor is connected to this process. */
  get hasExecutor(): boolean {
    return this.members.some(({ executes, client }) => executes && client === this.currentExecutor);
  }

  /** Who would execute if the executor were gone, while it is not connected to this process: the first that declared tools. */
  get successor(): Member | undefined {
    if (this.isChild || this.currentExecutor === '' || this.hasExecutor) return undefined;
    return this.members.find((member) => member.executes && member.client !== SEED && this.isNewest(member));
  }

  /** Children whose turns ran when last looked at, and those that began since. */
  get children(): readonly SessionRef[] {
    return this.runningChildren;
  }

  /** Takes the list of children whose turns run. */
  showChildren(children: readonly SessionRef[]): void {
    this.runningChildren = children.length === 0 ? NONE : children;
    for (const member of this.members) for (const child of children) member.onChild(child);
  }

  get size(): number {
    return this.members.length;
  }

  /** Whether calls of the member's client come to this connection. */
  isNewest(member: Member): boolean {
    return this.newestOf(member.client) === member.connection;
  }

  /** Whether a call is to be given to this connection. */
  givesCallsTo(member: Member): boolean {
    return member.executes && this.currentExecutor === member.client && this.isNewest(member);
  }

  roleOf(member: Member): Role {
    if (!member.executes || member.client !== this.currentExecutor) return 'observer';
    return this.isNewest(member) ? 'executor' : 'standby';
  }

  enter(member: Member): void {
    this.members = this.members.concat(member); // a spread leaves room for 16 more
    if (member.client === this.currentExecutor) this.currentExecutor = member.client; // one copy of the text
    this.board.onMembers(this);
    if (!member.executes) return;
    this.setNewest(member.client, member.connection);
    void this.publish('connection_joined', member.client, member.connection);
  }

  leave(member: Member): void {
    if (!this.members.includes(member)) return;
    this.members = this.members.filter((other) => other !== member);
    this.board.onMembers(this);
    if (!member.executes) return;
    void this.publish('connection_left', member.client, member.connection);
    this.replaceNewest(member.client, member.connection);
  }

  /**
   * While calls go to a connection elsewhere, though their client is connected here, too: asks whether it is still there, and takes its place
   * where nobody says so. That it left may have been said to nobody: its process died, or the store was away. Call it about once a second.
   */
  checkNewest(nowMs: number): void {
    const newest = this.newestOf(this.currentExecutor);
    const isElsewhere = newest !== undefined && this.hasExecutor && !this.members.some(({ connection }) => connection === newest);
    if (!isElsewhere) {
      this.askedAtMs = undefined;
    } else if (this.askedAtMs === undefined) {
      this.askedAtMs = nowMs; // before it is asked: the answer may be here first
      void this.publish('connection_asked', this.currentExecutor, newest).then((isAsked) => {
        if (!isAsked) this.askedAtMs = undefined;
      });
    } else if (nowMs - this.askedAtMs >= ANSWER_MS) {
      this.replaceNewest(this.currentExecutor, newest);
    }
  }

  /** What is said in the session outside of its log. */
  receive(aside: Aside): void {
    if (aside.kind === 'signal') this.hear(aside.signal);
    else for (const member of this.members) member.onRelayed(aside.frame);
  }

  /** Reads or changes a session, and believes what the store says of its executor then: see {@link showExecutor}. */
  async believe<T>(reading: Promise<T | undefined>, executorOf: (read: T) => string): Promise<T | undefined> {
    const heard = this.heardOfExecutor;
    const read = await reading;
    if (read !== undefined) this.showExecutor(executorOf(read), heard);
    return read;
  }

  /**
   * The store says who executes: what it signals may be lost, and it may be set back.
   * @param heard {@link heardOfExecutor} when it was asked: what was learned since is newer
   */
  showExecutor(executor: string, heard: number): void {
    if (heard === this.heardOfExecutor) this.setExecutor(executor);
  }

  private setExecutor(executor: string): void {
    if (executor === this.currentExecutor) return;
    this.heardOfExecutor += 1;
    this.currentExecutor = executor;
    for (const member of this.members) member.onExecutor(executor);
    this.board.onMembers(this);
  }

  private hear(signal: SessionSignal): void {
    switch (signal.type) {
      case 'executor_changed':
        this.heardOfExecutor += 1; // also where it is no news: what was asked before may be older
        return this.setExecutor(signal.executor);
      case 'child_opened':
        return this.hearOfChild(signal.session_id);
      case 'connection_joined':
        if (signal.client === this.currentExecutor) this.askedAtMs = undefined;
        return this.setNewest(signal.client, signal.connection);
      case 'connection_left':
        return this.replaceNewest(signal.client, signal.connection);
      case 'connection_asked': {
        const isHere = this.members.some(({ connection }) => connection === signal.connection);
        if (isHere) void this.publish('connection_joined', signal.client, signal.connection);
      }
    }
  }

  private hearOfChild(sessionId: string): void {
    this.showChildren([...this.runningChildren, sessionRef(this.ref.owner, sessionId)].slice(-MAX_KNOWN_CHILDREN));
  }

  /** The newest connection of a client is gone: the newest one that is left here takes its place, and says so to the others. */
  private replaceNewest(client: string, gone: string): void {
    if (this.newestOf(client) !== gone) return;
    const next = this.members.findLast((member) => member.executes && member.client === client);
    this.setNewest(client, next?.connection);
    if (next === undefined) return;
    void this.publish('connection_joined', client, next.connection);
    next.onNewest();
  }

  private newestOf(client: string): string | undefined {
    const at = this.newest.indexOf(client);
    return at === -1 ? undefined : this.newest[at + 1];
  }

  private setNewest(client: string, connection: string | undefined): void {
    if (connection !== undefined && this.newestOf(client) === connection) return;
    const at = this.newest.indexOf(client);
    const others = at === -1 ? this.newest : this.newest.toSpliced(at, 2);
    this.newest = connection === undefined ? others : others.concat(client, connection);
  }

  private publish(
    type: 'connection_joined' | 'connection_left' | 'connection_asked',
    client: string,
    connection: string,
  ): Promise<boolean> {
    return this.board.publish(this.ref, { type, client, connection });
  }
}
