import { createHash, randomUUID } from 'node:crypto';
import { mkdir, open, readFile, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { JournalledCall, Operand } from '@codelab/protocol';
import { Mutex } from 'async-mutex';
import { indexRecord, isLater, recordsOf, type CallFacts, type JournalEntry } from './journal-index.js';
import { parseJournalRecord, type CallAnswer, type JournalRecord, type StoredAnswer } from './journal-record.js';
import { LineFile, syncDirectory } from './line-file.js';

/** A longer answer lies in a file of its own. */
const INLINE_BYTES = 1024 * 1024;

/** Calls that a journal remembers beside the open ones. */
const KEPT_CALLS = 256;

/** Calls of which the servers are told when the client comes back. */
const REPORTED_CALLS = 32;

/** Size from which a journal is written anew, with the calls that it remembers. */
const COMPACT_BYTES = 16 * 1024 * 1024;

const EXACTLY = { sync: true } as const;
const SOMETIME = { sync: false } as const;

/** A first question has no number here, as in a journal of a release before. */
const numberOf = (question = 1): number | undefined => (question > 1 ? question : undefined);

const toAnswer = (stored: StoredAnswer): CallAnswer =>
  'error' in stored ? stored : { result: JSON.stringify(stored.result), allowedSecrets: stored.allowed };

const doneLine = (call: string, answer: CallAnswer | undefined): string => {
  const code = answer !== undefined && 'error' in answer ? `,"code":${JSON.stringify(answer.error.code)}` : '';
  return `{"is":"done","call":${JSON.stringify(call)}${code}${answer === undefined ? '' : `,"answer":${answerText(answer)}`}}`;
};

const answerText = (answer: CallAnswer): string =>
  'error' in answer
    ? JSON.stringify({ error: answer.error, previewFailed: answer.previewFailed } satisfies StoredAnswer)
    : `{"result":${answer.result}${answer.allowedSecrets ? `,"allowed":${JSON.stringify(answer.allowedSecrets)}` : ''}}`;

/**
 * What this client did, call by call, in an append-only file that outlives it (R2). For an unsafe call `begin` is on the disk before the
 * effect, and `end`, with the answer, before the answer is sent; so a call that comes again is answered from here, and one that was begun
 * by a process that is gone is known to be unknown. Safe calls are noted without waiting for the disk: running them again does no harm.
 * One process at a time writes a journal: see `openJournal`.
 */
export class Journal {
  private readonly calls = new Map<string, JournalEntry>();
  private readonly mutex = new Mutex();
  private file!: LineFile; // set by `open`, the only way to a journal
  /** Bytes, and calls, from which the file is written anew. */
  private compactAt: { readonly bytes: number; readonly calls: number };

  private constructor(
    private readonly directory: string,
    private readonly compactBytes: number,
    private readonly onProblem: (error: Error) => void,
  ) {
    this.compactAt = { bytes: compactBytes, calls: 2 * KEPT_CALLS };
  }

  /** Opens the journal in `directory`, made if it isn't there. The caller holds the claim to it. */
  static async open(
    directory: string,
    options: { readonly compactBytes?: number; readonly onProblem: (error: Error) => void },
  ): Promise<Journal> {
    const journal = new Journal(directory, options.compactBytes ?? COMPACT_BYTES, options.onProblem);
    journal.file = await LineFile.open(join(directory, 'calls.ndjson'), (line, span) => {
      const record = parseJournalRecord(line);
      if (record !== undefined) indexRecord(journal.calls, record, span);
    });
    for (const [callId, entry] of journal.calls) if (entry.state === 'started') journal.calls.set(callId, { ...entry, state: 'unknown' });
    await journal.mutex.runExclusive(() => journal.compactIfLarge());
    return journal;
  }

  find(callId: string): JournalEntry | undefined {
    return this.calls.get(callId);
  }

  /**
   * The last calls, oldest first, for `resume.calls`; of those that are done as many as there is room for beside the others. Those of children that
   * the servers have the answers of are left out: once a child is gone its session would take them for calls that nobody knows.
   */
  report(): JournalledCall[] {
    const known = [...this.calls.values()].filter(({ child, state, settled }) => child !== true || state !== 'done' || !settled);
    const undone = known.filter(({ state }) => state !== 'done').slice(-REPORTED_CALLS);
    const room = REPORTED_CALLS - undone.length;
    const told = new Set([...undone, ...(room === 0 ? [] : known.filter(({ state }) => state === 'done').slice(-room))]);
    return known
      .filter((entry) => told.has(entry))
      .map(({ callId, argsSha256, state }) => ({ call_id: callId, args_sha256: argsSha256.slice(0, 64), state }));
  }

  /** Unsafe calls with an answer that the servers have not acknowledged. */
  unsettled(): readonly JournalEntry[] {
    return [...this.calls.values()].filter(({ state, settled, done }) => state === 'done' && !settled && done?.hasAnswer === true);
  }

  /** @param question the number of the last question about the call, if one was put */
  received({ callId: call, argsSha256: sha, toolName: tool, unsafe, fence, child }: CallFacts, question?: number): void {
    const known = this.calls.get(call);
    if (known !== undefined && !isLater(question, known)) return;
    this.note({ is: 'received', call, sha, tool, unsafe, fence, child, question: numberOf(question) });
  }

  previewed(callId: string, argsSha256: string, operands: readonly Operand[]): void {
    this.note({ is: 'previewed', call: callId, sha: argsSha256, operands });
  }

  approved(callId: string, argsSha256: string): void {
    this.note({ is: 'approved', call: callId, sha: argsSha256 });
  }

  settled(callId: string): void {
    if (this.calls.get(callId)?.settled === false) this.note({ is: 'settled', call: callId });
  }

  /** @param question the number of the question by which it is asked anew */
  reopened(callId: string, question?: number): void {
    this.note({ is: 'reopened', call: callId, question: numberOf(question) });
  }

  /** The effect may begin when this resolves; when it rejects it may not. */
  async begin({ callId: call, argsSha256: sha, toolName: tool, unsafe, fence, child }: CallFacts): Promise<void> {
    const record: JournalRecord = { is: 'started', call, sha, tool, unsafe, fence, child };
    if (unsafe) await this.append(record, JSON.stringify(record), EXACTLY);
    else this.note(record);
  }

  /** The answer may be sent when this resolves. Never rejects: the effect is done, and its true answer must reach the servers. */
  async end(callId: string, answer: CallAnswer): Promise<void> {
    const { unsafe } = this.calls.get(callId) ?? { unsafe: true };
    try {
      if (!unsafe) return this.note({ is: 'done', call: callId });
      const line = doneLine(callId, answer);
      if (Buffer.byteLength(line) <= INLINE_BYTES) await this.append(JSON.parse(line) as JournalRecord, line, EXACTLY);
      else await this.endBeside(callId, answer);
    } catch (error) {
      this.onProblem(error as Error);
    }
  }

  /** The answer of a call that is done; nothing for a safe one, and where its file was taken away. */
  async answerOf(callId: string): Promise<CallAnswer | undefined> {
    const done = this.calls.get(callId)?.done;
    if (done?.hasAnswer !== true) return undefined;
    try {
      if (done.beside) return toAnswer(JSON.parse(await readFile(this.besidePath(callId), 'utf8')) as StoredAnswer);
      const record = parseJournalRecord(
        await this.mutex.runExclusive(() => this.file.read(this.calls.get(callId)?.done?.span ?? done.span)),
      );
      return record?.is === 'done' && record.answer !== undefined ? toAnswer(record.answer) : undefined;
    } catch (error) {
      this.onProblem(error as Error);
      return undefined;
    }
  }

  /** Resolves when everything noted so far is written. */
  async close(): Promise<void> {
    await this.mutex.runExclusive(() => this.file.close());
  }

  private note(record: JournalRecord): void {
    this.append(record, JSON.stringify(record), SOMETIME).catch(this.onProblem);
  }

  private append(record: JournalRecord, line: string, options: { readonly sync: boolean }): Promise<void> {
    if (record.is !== 'done') indexRecord(this.calls, record, { offset: 0, length: 0 });
    return this.mutex.runExclusive(async () => {
      const span = await this.file.append(line, options);
      if (record.is === 'done') indexRecord(this.calls, record, span);
      await this.compactIfLarge();
    });
  }

  private async endBeside(callId: string, answer: CallAnswer): Promise<void> {
    const path = this.besidePath(callId);
    await mkdir(join(this.directory, 'answers'), { recursive: true, mode: 0o700 });
    const draft = `${path}.${randomUUID()}`;
    const handle = await open(draft, 'wx', 0o600);
    try {
      await handle.writeFile(answerText(answer));
      await handle.datasync();
    } finally {
      await handle.close();
    }
    await rename(draft, path);
    await syncDirectory(join(this.directory, 'answers'));
    const record: JournalRecord = { is: 'done', call: callId, beside: true };
    await this.append(record, JSON.stringify(record), EXACTLY);
  }

  /** A call's id comes from outside and is no file name. */
  private besidePath(callId: string): string {
    return join(this.directory, 'answers', `${createHash('sha256').update(callId).digest('hex')}.json`);
  }

  private async compactIfLarge(): Promise<void> {
    if (this.file.size < this.compactAt.bytes && this.calls.size < this.compactAt.calls) return;
    try {
      await this.compact();
    } catch (error) {
      this.onProblem(error as Error); // the file is as it was, only larger than it should be
    }
    this.compactAt = { bytes: Math.max(this.compactBytes, 2 * this.file.size), calls: Math.max(2 * KEPT_CALLS, 2 * this.calls.size) };
  }

  /** Writes the file anew, with the calls that are kept. */
  private async compact(): Promise<void> {
    const entries = [...this.calls.values()];
    const kept = entries.filter((entry, index) => index >= entries.length - KEPT_CALLS || entry.state === 'started');
    const lines: string[] = [];
    for (const entry of kept) {
      lines.push(...recordsOf(entry).map((record) => JSON.stringify(record)));
      if (entry.done !== undefined) lines.push(await this.file.read(entry.done.span));
      if (entry.settled) lines.push(JSON.stringify({ is: 'settled', call: entry.callId } satisfies JournalRecord));
    }
    const spans = await this.file.replace(lines);
    this.calls.clear();
    lines.forEach((line, index) => indexRecord(this.calls, parseJournalRecord(line)!, spans[index]!));
    const keeps = new Set(this.calls.keys());
    for (const { callId, state, done } of entries) {
      if (state === 'unknown' && keeps.has(callId)) this.calls.set(callId, { ...this.calls.get(callId)!, state });
      if (done?.beside === true && !keeps.has(callId)) await rm(this.besidePath(callId), { force: true });
    }
  }
}
