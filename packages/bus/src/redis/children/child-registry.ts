import { CHILD_HOLD_MS, isTaskName } from '../../child-sessions.js';
import { sessionRef, type SessionRef } from '../../session-ref.js';
import { MAX_KNOWN_CHILDREN } from '../limits.js';
import type { Command } from '../connection/redis-commands.js';
import type { SessionScripts } from '../session/session-scripts.js';

/** Added to the time at which a child was opened while it counts as open, so that a list by score has the open ones last. */
const OPEN = 1e15;

/** A child that was registered this long ago and is not there will not come: its opener died. */
const CREATED_WITHIN_MS = 60_000;

/** A child among those that somebody waits for. */
export const toHeld = ({ owner, sessionId }: SessionRef): string => JSON.stringify([owner.tenant, owner.sub, sessionId]);

/** A child, and the session that it was opened in. */
interface NamedChild {
  readonly parent: SessionRef;
  readonly child: SessionRef;
  readonly openedAtMs: number;
}

/**
 * The children of sessions by name, in `cl:{sid}:children` of the parent: those that are open, and those that ended last. A name is written
 * before the child is there and stays when it is gone, so it counts only with the child's own record.
 */
export class ChildRegistry {
  constructor(
    private readonly scripts: SessionScripts,
    private readonly ttlMs: number,
  ) {}

  /** Names a child that is about to be opened. */
  async register(parent: SessionRef, child: SessionRef, openedAtMs = Math.floor(this.scripts.commands.score())): Promise<void> {
    const { commands } = this.scripts;
    const key = this.keyOf(parent);
    await commands.run('register-child', [
      ['zadd', key, OPEN + openedAtMs, child.sessionId],
      ['zremrangebyrank', key, 0, -(MAX_KNOWN_CHILDREN + 1)],
      ['pexpire', key, this.ttlMs],
    ]);
  }

  /**
   * Names children whose turns run, where the list of their parent has lost that and the parent is there. Answers how many it had lost. One that a
   * program waits for is held for it, too, for as long as it takes a program that lives to say so itself.
   */
  async restore(children: readonly NamedChild[]): Promise<number> {
    const { commands, keys } = this.scripts;
    const found = await commands.runEach(
      'read-children',
      children.flatMap(({ parent, child }): Command[] => [
        ['zscore', this.keyOf(parent), child.sessionId],
        ['exists', keys.session(parent.sid).meta],
      ]),
    );
    const missing = children.filter((_, place) => found[2 * place + 1] === 1 && Number(found[2 * place] ?? 0) < OPEN);
    for (const { parent, child, openedAtMs } of missing) await this.register(parent, child, openedAtMs);
    const programs = children.filter(({ child }) => !isTaskName(child.sessionId));
    const untilMs = Math.floor(commands.score()) + CHILD_HOLD_MS;
    await commands.runEach(
      'hold-children',
      programs.map(({ child }) => ['zadd', keys.held, 'NX', untilMs, toHeld(child)]),
    );
    return missing.length;
  }

  /** The command that counts a child as ended. */
  ending(parent: SessionRef, child: SessionRef): Command {
    return ['zadd', this.keyOf(parent), 'XX', Math.floor(this.scripts.commands.score()), child.sessionId];
  }

  /** Every known child of each session, the latest first. */
  async all(parents: readonly SessionRef[]): Promise<readonly (readonly SessionRef[])[]> {
    const { commands } = this.scripts;
    const names = await commands.runEach(
      'read-children',
      parents.map((parent) => ['zrevrange', this.keyOf(parent), 0, MAX_KNOWN_CHILDREN - 1]),
    );
    return parents.map(({ owner }, index) => (names[index] as string[]).map((name) => sessionRef(owner, name)));
  }

  /** Those of each session whose turn runs, the oldest first. What is found to have ended counts as ended from then on. */
  async running(parents: readonly SessionRef[]): Promise<readonly (readonly SessionRef[])[]> {
    const { commands, keys } = this.scripts;
    const replies = await commands.runEach(
      'read-children',
      parents.map((parent) => ['zrangebyscore', this.keyOf(parent), OPEN, '+inf', 'WITHSCORES']),
    );
    const named = parents.flatMap((parent, index) => toNamed(parent, replies[index] as string[]));
    if (named.length === 0) return parents.map(() => []);
    const facts = await commands.runEach(
      'read-children',
      named.map(({ child }) => ['hmget', keys.session(child.sid).meta, 'epoch', 'turn_id']),
    );
    const lateMs = commands.score() - CREATED_WITHIN_MS;
    const states = named.map(({ openedAtMs }, index) => {
      const [epoch, turnId] = facts[index] as [string | null, string | null];
      if (epoch === null) return openedAtMs < lateMs ? 'ended' : 'coming';
      return turnId === '' || turnId === null ? 'ended' : 'running';
    });
    const ended = named.filter((_, index) => states[index] === 'ended');
    if (ended.length > 0)
      await commands.runEach(
        'end-children',
        ended.map(({ parent, child }) => this.ending(parent, child)),
      );
    const running = named.filter((_, index) => states[index] === 'running');
    return parents.map((parent) => running.filter((one) => one.parent === parent).map(({ child }) => child));
  }

  private keyOf({ sid }: SessionRef): string {
    return this.scripts.keys.session(sid).children;
  }
}

/** Names and scores, as `WITHSCORES` answers them. */
const toNamed = (parent: SessionRef, flat: readonly string[]): readonly NamedChild[] =>
  flat.flatMap((name, index) =>
    index % 2 === 0 ? [{ parent, child: sessionRef(parent.owner, name), openedAtMs: Number(flat[index + 1]) - OPEN }] : [],
  );
