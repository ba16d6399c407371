import type { CallRecord, JournalledCall, Operand } from '@codelab/protocol';
import type { JournalRecord } from './journal-record.js';
import type { LineSpan } from './line-file.js';

/** What a call is journalled by, and runs as. */
export interface CallFacts extends Pick<CallRecord, 'callId' | 'argsSha256' | 'toolName' | 'fence'> {
  readonly unsafe: boolean;
  /** A child of the session made it: the session itself knows nothing of it. */
  readonly child?: true;
}

/** What a journal knows of one call. */
export interface JournalEntry extends CallFacts {
  /** `unknown`: begun by a process that is gone, without an end. */
  readonly state: JournalledCall['state'];
  /** The servers have the answer, or don't want it. */
  readonly settled: boolean;
  /** Digest that was approved at this client. */
  readonly approvedSha256?: string;
  /** The number of the last question about it that was put here; absent for the first. */
  readonly question?: number;
  /** The files as an approver was shown them, for the arguments with this digest. */
  readonly shown?: { readonly argsSha256: string; readonly operands: readonly Operand[] };
  /** The code of the error it ended with. */
  readonly errorCode?: string;
  /** Where its `done` line is, and whether the answer is in a file beside. */
  readonly done?: { readonly span: LineSpan; readonly hasAnswer: boolean; readonly beside: boolean };
}

type Calls = Map<string, JournalEntry>;

type Arrival = Extract<JournalRecord, { is: 'received' | 'started' }>;

/** A record of a call whose beginning is lost is taken for that of an unsafe one. */
const unseen = (callId: string, record: Partial<Arrival>): JournalEntry => ({
  callId,
  argsSha256: record.sha ?? '',
  toolName: record.tool ?? '',
  unsafe: record.unsafe ?? true,
  fence: record.fence ?? 1,
  child: record.child,
  state: 'received',
  settled: false,
});

const factsIn = ({ callId, argsSha256, toolName, unsafe, fence, child }: CallFacts): CallFacts => ({
  callId,
  argsSha256,
  toolName,
  unsafe,
  fence,
  child,
});

/** Whether a question came after the last one about a call. */
export const isLater = (question = 1, { question: last = 1 }: Pick<JournalEntry, 'question'>): boolean => question > last;

/** Takes a record into the index; the latest call stands last. */
export function indexRecord(calls: Calls, record: JournalRecord, span: LineSpan): void {
  const known = calls.get(record.call);
  const entry = known ?? unseen(record.call, record.is === 'received' || record.is === 'started' ? record : {});
  switch (record.is) {
    case 'received':
      if (known === undefined || isLater(record.question, known)) calls.set(record.call, { ...entry, question: record.question });
      return;
    case 'previewed':
      calls.set(record.call, { ...entry, shown: { argsSha256: record.sha, operands: record.operands } });
      return;
    case 'approved':
      calls.set(record.call, { ...entry, approvedSha256: record.sha });
      return;
    case 'started':
      calls.set(record.call, { ...entry, ...unseen(record.call, record), settled: entry.settled, state: 'started' });
      return;
    case 'done': {
      const done = { span, hasAnswer: record.answer !== undefined || record.beside === true, beside: record.beside === true };
      calls.set(record.call, { ...entry, state: 'done', settled: false, done, errorCode: record.code ?? entry.errorCode });
      return;
    }
    case 'settled':
      calls.set(record.call, { ...entry, settled: true });
      return;
    case 'reopened':
      calls.set(record.call, { ...factsIn(entry), state: 'received', settled: false, question: record.question });
      return;
  }
}

/** The records that say the same as an entry, beside its `done` line. */
export function recordsOf(entry: JournalEntry): readonly JournalRecord[] {
  const { callId: call, argsSha256: sha, toolName: tool, unsafe, fence, child, question, state, shown, approvedSha256 } = entry;
  const begun = state === 'started' || state === 'unknown';
  const facts = { call, sha, tool, unsafe, fence, child };
  const records: JournalRecord[] = [begun ? { is: 'started', ...facts } : { is: 'received', ...facts, question }];
  if (state !== 'received') return records;
  if (shown !== undefined) records.push({ is: 'previewed', call, sha: shown.argsSha256, operands: shown.operands });
  if (approvedSha256 !== undefined) records.push({ is: 'approved', call, sha: approvedSha256 });
  return records;
}
