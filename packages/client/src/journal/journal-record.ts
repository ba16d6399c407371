import type { Operand, ToolError } from '@codelab/protocol';

/**
 * The answer of a call: what goes into `tool_result` beside its ids. `result` is JSON text, its secrets masked but for those whose
 * fingerprints the human allows to be shown. `previewFailed`: it can't be done, so nobody needed to decide.
 */
export type CallAnswer =
  | { readonly result: string; readonly allowedSecrets?: readonly string[] }
  | { readonly error: ToolError; readonly previewFailed?: true };

/** One line of a journal. `call` is the `call_id`. */
export type JournalRecord =
  /** The call came in; again, where a later question about it was put. `question` is its number, absent for the first. */
  | {
      readonly is: 'received';
      readonly call: string;
      readonly sha: string;
      readonly tool: string;
      readonly unsafe: boolean;
      readonly fence: number;
      readonly child?: true;
      readonly question?: number;
    }
  /** An approver was shown what it would do, with the files as they were (H2). */
  | { readonly is: 'previewed'; readonly call: string; readonly sha: string; readonly operands: readonly Operand[] }
  /** It was approved at this client, for exactly these arguments. */
  | { readonly is: 'approved'; readonly call: string; readonly sha: string }
  /** Its effect may begin. On the disk before it does. */
  | {
      readonly is: 'started';
      readonly call: string;
      readonly sha: string;
      readonly tool: string;
      readonly unsafe: boolean;
      readonly fence: number;
      readonly child?: true;
    }
  /** It has an answer, here or, where that is long, in a file of its own. Of safe calls the answer isn't kept: they are run again. */
  | { readonly is: 'done'; readonly call: string; readonly code?: string; readonly answer?: StoredAnswer; readonly beside?: true }
  /** The servers have the answer, or don't want it. */
  | { readonly is: 'settled'; readonly call: string }
  /** Nothing was done, and it is asked anew, by this question: what was recorded of it no longer counts. */
  | { readonly is: 'reopened'; readonly call: string; readonly question?: number };

/** An answer as it stands in a journal: a value in JSON. */
export type StoredAnswer = { readonly result: unknown; readonly allowed?: readonly string[] } | Extract<CallAnswer, { error: unknown }>;

const KINDS: ReadonlySet<string> = new Set<JournalRecord['is']>([
  'received',
  'previewed',
  'approved',
  'started',
  'done',
  'settled',
  'reopened',
]);

/** Reads a line; `undefined` for a torn one and for one that a newer release wrote. */
export function parseJournalRecord(line: string): JournalRecord | undefined {
  try {
    const record = JSON.parse(line) as Partial<JournalRecord> | null;
    return typeof record?.call === 'string' && KINDS.has(record.is ?? '') ? (record as JournalRecord) : undefined;
  } catch {
    return undefined; // torn: what it would have said was never promised
  }
}
