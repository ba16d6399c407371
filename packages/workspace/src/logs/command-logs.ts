import { createHash } from 'node:crypto';
import { constants } from 'node:fs';
import { open } from 'node:fs/promises';
import { join } from 'node:path';
import { isErrno } from '../to-tool-error.js';
import { ToolFailure } from '../tool-failure.js';
import { CommandLog } from './command-log.js';
import { pruneFiles } from './prune-files.js';

/** How paths of logs begin, where `read_file` and `search_in_project` take one: `codelab-log:/call_1.txt`. */
const PREFIX = 'codelab-log:';

/** How long logs are kept, in milliseconds, and how much of them in a workspace, in bytes. */
const KEPT = { ms: 7 * 24 * 60 * 60 * 1000, bytes: 200 * 1024 * 1024 };

/** Bytes of one log: two halves, and the note between them. */
const MAX_LOG_BYTES = 17 * 1024 * 1024;

/** Whether a path of a call is meant to be that of a log. */
export const isLogPath = (path: string): boolean => path.startsWith(PREFIX);

/** A log that is being written. */
export interface OpenLog {
  readonly add: (chunk: Buffer) => void;
  /** The path by which tools read it, if there is a log. */
  end(): Promise<string | undefined>;
}

const digest = (text: string): string => createHash('sha256').update(text).digest('hex').slice(0, 32);

/** The whole output of long commands of a workspace, in the client's own data. A session reads only its own. */
export class CommandLogs {
  constructor(private readonly directory: string) {}

  /** @param sessionId only this session will read it */
  begin({ sessionId, callId }: { readonly sessionId: string; readonly callId: string }): OpenLog {
    const name = /^[A-Za-z0-9_-]{1,64}$/.test(callId) ? callId : digest(callId);
    const log = new CommandLog(join(this.directory, digest(sessionId), `${name}.txt`));
    return {
      add: (chunk) => log.add(chunk),
      end: async () => {
        if (!log.end()) return undefined;
        await this.prune();
        return `${PREFIX}/${name}.txt`;
      },
    };
  }

  /**
   * Reads a log of a session, as text of which what is no UTF-8 is replaced.
   *
   * @throws ToolFailure `FILE_NOT_FOUND`, also for what is no path of a log
   */
  async read(path: string, sessionId: string): Promise<string> {
    const name = /^codelab-log:\/([A-Za-z0-9_-]{1,64}\.txt)$/.exec(path)?.[1];
    const missing = new ToolFailure('FILE_NOT_FOUND', `There is no log ${path.slice(0, 120)} of this session; logs are kept for a week.`);
    if (name === undefined) throw missing;
    const flags = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);
    const handle = await open(join(this.directory, digest(sessionId), name), flags).catch((error: unknown) => {
      if (isErrno(error, 'ENOENT', 'ENOTDIR', 'ELOOP', 'ENXIO')) throw missing;
      throw error;
    });
    try {
      const stats = await handle.stat();
      if (!stats.isFile() || stats.size > MAX_LOG_BYTES) throw missing;
      const text = new TextDecoder('utf-8', { ignoreBOM: true }).decode(await handle.readFile());
      return text.replaceAll('\0', '\ufffd');
    } finally {
      await handle.close();
    }
  }

  /** Removes logs that are too old, and the oldest until the rest is not too much. Never rejects. */
  async prune(now = Date.now()): Promise<void> {
    await pruneFiles(this.directory, KEPT, now);
  }
}
