import { Command, type Cluster, type Redis } from 'ioredis';
import { BUSY_TIMEOUT_MS, COMMAND_TIMEOUT_MS } from '../limits.js';
import type { RedisLink } from './open-redis.js';

/** What came of a command. */
export type Reply = readonly [error: Error | null, reply?: unknown];

/** A command as Redis takes it: its name, and its arguments. */
export type Call = readonly [name: string, ...args: (string | number)[]];

/** ioredis' command for texts and numbers: neither flattened nor looked through for buffers, and without a timer of its own (see `sendTogether`). */
class PlainCommand extends Command {
  constructor(call: Call) {
    super(call[0], [], { replyEncoding: 'utf8' });
    const texts: string[] = [];
    for (let place = 1; place < call.length; place += 1) texts.push(String(call[place]));
    this.args = texts;
  }

  override setTimeout(): void {
    // those that are sent together have one
  }
}

const corked = new WeakSet<Redis['stream']>();

/** Writes after everything that this connection was given before. What one turn of the event loop writes leaves in one system call. */
function write({ stream }: Redis, text: string): void {
  if (!corked.has(stream)) {
    corked.add(stream);
    stream.cork();
    setImmediate(() => {
      corked.delete(stream);
      stream.uncork();
    });
  }
  stream.write(text);
}

/** When a connection had its last reply. */
const heardAtMs = new WeakMap<Redis, number>();

/**
 * Calls back once it is clear that no reply comes: as long as the connection has replies to what was sent before, Redis is busy and not away, and
 * ours is on its way. Returns how to stop.
 */
function whenSilent(redis: Redis, giveUp: () => void): () => void {
  const sentAtMs = performance.now();
  let next: NodeJS.Timeout | NodeJS.Immediate;
  const judge = (): void => {
    const nowMs = performance.now();
    const quietMs = nowMs - Math.max(sentAtMs, heardAtMs.get(redis) ?? 0);
    if (quietMs >= COMMAND_TIMEOUT_MS || nowMs - sentAtMs >= BUSY_TIMEOUT_MS) giveUp();
    else wait(COMMAND_TIMEOUT_MS - quietMs);
  };
  // Who comes late itself reads first what has arrived meanwhile.
  const wait = (ms: number): void => void (next = setTimeout(() => (next = setImmediate(judge)), ms));
  wait(COMMAND_TIMEOUT_MS);
  return () => {
    clearTimeout(next as NodeJS.Timeout);
    clearImmediate(next as NodeJS.Immediate);
  };
}

/** Sends commands in their order, in one write. Not by ioredis' pipeline: each of those copies every script that its connection knows. */
function sendTogether(redis: Redis, calls: readonly Call[]): Promise<Reply[]> {
  return new Promise((resolve) => {
    if (calls.length === 0) return resolve([]);
    const replies: Reply[] = [];
    let missing = calls.length;
    let text = '';
    let collects = true;
    // A connection that is about to stand, as those to the nodes of a cluster, takes its commands later.
    const collect = { write: (more: string) => (collects ? (text += more) : write(redis, more)) };
    const commands = calls.map((call) => new PlainCommand(call));
    const stop = whenSilent(redis, () => {
      for (const command of commands) if (!command.isSettled) command.reject(new Error('Command timed out'));
    });
    const settle = (index: number, reply: Reply): void => {
      replies[index] = reply;
      missing -= 1;
      if (missing > 0) return;
      stop();
      resolve(replies);
    };
    commands.forEach((command, index) => {
      command.promise.then(
        (reply: unknown) => {
          heardAtMs.set(redis, performance.now());
          settle(index, [null, reply]);
        },
        (error: Error) => settle(index, [error]),
      );
      redis.sendCommand(command, collect as unknown as Redis['stream']);
    });
    collects = false;
    if (text !== '') write(redis, text);
  });
}

/** Sends commands in their order, to one server: in a cluster to the one that has their slot, wherever that moves meanwhile. */
export async function sendCommands(redis: RedisLink, calls: readonly Call[]): Promise<readonly Reply[]> {
  if (!redis.isCluster) return sendTogether(redis as Redis, calls);
  return (await (redis as Cluster).pipeline(calls.map((call) => [...call])).exec()) ?? [];
}
