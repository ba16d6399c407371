import { randomBytes } from 'node:crypto';
import type { Sid } from '../../session-ref.js';
import type { Blobs } from '../blobs/blobs.js';
import type { LongStrings } from '../blobs/long-strings.js';
import type { RestingSessions } from '../rest/resting-sessions.js';
import type { Keys } from '../keys/keys.js';
import { FINISHED_STEP_MS } from '../limits.js';
import type { ScriptReply } from './lua-results.js';
import type { Command, RedisCommands } from '../connection/redis-commands.js';

/** What no other process has. With a number behind it, it names an epoch that a script may begin. */
const PROCESS = randomBytes(8).toString('hex');
let epochs = 0;

/** Runs the scripts that write to a session, and sees to it that a runtime hears. */
export class SessionScripts {
  constructor(
    readonly commands: RedisCommands,
    readonly keys: Keys,
    private readonly sessionTtlMs: number,
    readonly blobs: Blobs,
    readonly strings: LongStrings,
    readonly rest: RestingSessions,
    private readonly wake: (sid: Sid) => void,
  ) {}

  /** How long the record of a finished model request is kept, in milliseconds: no longer than its session. */
  get finishedStepMs(): number {
    return Math.min(FINISHED_STEP_MS, this.sessionTtlMs);
  }

  /** The command of a script with the head that `includes/session` describes. `more`: its keys behind those of the session. */
  command(script: string, sid: Sid, args: readonly (string | number)[], ...more: readonly string[]): Command {
    const keys = this.keys.session(sid);
    const epoch = `${PROCESS}${(epochs += 1).toString(36)}`;
    const head = [this.commands.lifePlace, epoch, this.sessionTtlMs, keys.live, keys.wake, keys.stop];
    return [script, ...keys.all, ...more, ...head, ...args];
  }

  /** A writer that leaves nothing for a runtime to do. */
  async write(script: string, sid: Sid, args: readonly (string | number)[]): Promise<ScriptReply> {
    const [reply] = await this.commands.run(script, [this.command(script, sid, args)]);
    return reply as ScriptReply;
  }

  /**
   * A writer of inbox entries. The session is among those with work before the entry is stored, so that a sweep finds it whatever dies, and
   * once more after it, so that a park that has read the score meanwhile does not take it out. If nobody holds the lease, somebody is woken.
   */
  async deliver(script: string, sid: Sid, args: readonly (string | number)[], ...more: readonly string[]): Promise<ScriptReply> {
    const enter = (): Command => ['zadd', this.keys.due(sid), this.commands.score(), sid];
    const position: Command = ['hmget', this.keys.session(sid).meta, 'epoch', 'inbox_seq'];
    const [, reply, written] = await this.commands.run(script, [enter(), this.command(script, sid, args, ...more), position, enter()]);
    const [code, leaseAlive] = reply as ScriptReply;
    const [epoch, entry] = written as readonly (string | null)[];
    if (epoch && entry) this.commands.noteEntry(sid, { epoch, entry: Number(entry) });
    if (code > 0 && leaseAlive === 0) this.wake(sid);
    return reply as ScriptReply;
  }

  /** Puts a session among those with work, and wakes somebody if nobody holds it. */
  async enter(sid: Sid, leaseAlive: boolean): Promise<void> {
    await this.commands.run('enter', [['zadd', this.keys.due(sid), this.commands.score(), sid]]);
    if (!leaseAlive) this.wake(sid);
  }
}
