import type { Alert, InboxEntry } from '@codelab/bus';

/**
 * The inbox of a session as far as it is known here: entries that no commit has consumed, without a gap. Announcements fill it where they
 * fit on; anything else only says that the inbox has to be read.
 */
export class PendingInbox {
  private pending: readonly InboxEntry[];
  private lastId: number;
  /** There may be entries that are not known here. */
  isBehind = false;

  /** @param done the last entry that a commit consumed */
  constructor(
    private done: number,
    entries: readonly InboxEntry[],
  ) {
    this.pending = entries;
    this.lastId = entries.at(-1)?.id ?? done;
  }

  get entries(): readonly InboxEntry[] {
    return this.pending;
  }

  /** The last entry that is known. */
  get seen(): number {
    return this.lastId;
  }

  /** The last entry that a commit consumed. */
  get consumed(): number {
    return this.done;
  }

  hear({ entry }: Alert): void {
    if (entry?.id === this.lastId + 1) this.add([entry]);
    else if (entry === undefined || entry.id > this.lastId) this.isBehind = true;
  }

  /** Reads what is not known. What is announced while it reads may be newer than what it reads, and is looked for again. */
  async catchUp(readAfter: (id: number) => Promise<readonly InboxEntry[]>): Promise<void> {
    this.isBehind = false;
    try {
      this.add(await readAfter(this.lastId));
    } catch (error) {
      this.isBehind = true;
      throw error;
    }
  }

  /** Takes what was read after `seen`, which may have been heard meanwhile. */
  add(read: readonly InboxEntry[]): void {
    const news = read.filter(({ id }) => id > this.lastId);
    if (news.length === 0) return;
    this.pending = [...this.pending, ...news];
    this.lastId = news.at(-1)!.id;
  }

  /** A commit has consumed all entries up to this one. */
  consume(upTo: number): void {
    this.done = Math.max(this.done, upTo);
    this.lastId = Math.max(this.lastId, upTo);
    this.pending = this.pending.filter(({ id }) => id > upTo);
  }
}
