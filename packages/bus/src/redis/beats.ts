import { toFields } from './connection/decode-fields.js';
import type { RedisCommands } from './connection/redis-commands.js';
import { Silences } from './silences.js';

/** A hash that nobody beats in goes. */
const HASH_TTL_MS = 60_000;

/** Says for one worker that it lives, in a hash with a field for each: a number that grows. So it hears who no longer does. */
export class Beats {
  private readonly silences = new Silences();

  constructor(
    private readonly commands: RedisCommands,
    private readonly key: string,
  ) {}

  /** Returns those that have fallen silent; each of them is returned to one caller, of all that beat. */
  async beat(worker: string): Promise<readonly string[]> {
    try {
      const [, , reply] = await this.commands.run('beat', [
        ['hincrby', this.key, worker, 1],
        ['pexpire', this.key, HASH_TTL_MS],
        ['hgetall', this.key],
      ]);
      const { [worker]: _own, ...others } = toFields(reply);
      const ours: string[] = [];
      for (const silent of this.silences.hear(others)) {
        if (await this.takeOut(silent)) ours.push(silent);
      }
      return ours;
    } catch (error) {
      this.lose();
      throw error;
    }
  }

  /** The store was away, if only between two beats: others may come back later than we do. */
  lose(): void {
    this.silences.lose();
  }

  /** Nobody looks for `worker` any more. Resolves to whether we are the first to take it out. */
  async takeOut(worker: string): Promise<boolean> {
    return (await this.commands.run('leave', [['hdel', this.key, worker]]))[0] === 1;
  }
}
