import type { ToolCallRow } from '../../accounts/tool-call-log.js';
import { toFields } from '../connection/decode-fields.js';

/** Longer words of a row are cut. */
const MAX_CHARACTERS = 256;

/** The fields of a row as Redis holds it. */
const TEXTS = [
  ['call_id', 'callId'],
  ['tool', 'tool'],
  ['session_id', 'sessionId'],
  ['model', 'model'],
  ['source', 'source'],
  ['outcome', 'outcome'],
  ['error_code', 'errorCode'],
] as const satisfies readonly (readonly [string, keyof ToolCallRow])[];

const NUMBERS = [
  ['round', 'round'],
  ['started_at_ms', 'startedAtMs'],
  ['duration_ms', 'durationMs'],
  ['approval_wait_ms', 'approvalWaitMs'],
  ['bytes_in', 'bytesIn'],
  ['bytes_out', 'bytesOut'],
] as const satisfies readonly (readonly [string, keyof ToolCallRow])[];

/** Names and values in turn. */
export const toolCallFields = (row: ToolCallRow): string[] => [
  ...TEXTS.flatMap(([field, name]) => (row[name] === undefined ? [] : [field, row[name].slice(0, MAX_CHARACTERS)])),
  ...NUMBERS.flatMap(([field, name]) => (row[name] === undefined ? [] : [field, String(Math.round(row[name]))])),
];

export function decodeToolCall(flat: readonly string[]): ToolCallRow {
  const fields = toFields(flat);
  const texts = TEXTS.flatMap(([field, name]) => (fields[field] === undefined ? [] : [[name, fields[field]] as const]));
  const numbers = NUMBERS.flatMap(([field, name]) => (fields[field] === undefined ? [] : [[name, Number(fields[field])] as const]));
  return Object.fromEntries<string | number>([...texts, ...numbers]) as unknown as ToolCallRow; // the tables name every field
}
