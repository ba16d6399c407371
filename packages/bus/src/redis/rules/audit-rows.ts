import type { AuditEntry, AuditRow } from '../../audit-log.js';
import { toFields } from '../connection/decode-fields.js';
import type { Named } from '../session/named-arguments.js';

/** The fields of a row, as `includes/audit` names them. */
const FIELDS = [
  ['session_id', 'sessionId'],
  ['turn_id', 'turnId'],
  ['call_id', 'callId'],
  ['tool_name', 'toolName'],
  ['args_sha256', 'argsSha256'],
  ['target', 'target'],
  ['outcome', 'outcome'],
  ['by', 'by'],
  ['reason', 'reason'],
  ['rule_id', 'ruleId'],
] as const satisfies readonly (readonly [string, keyof AuditRow])[];

/** Longer words of a row are cut. */
const MAX_CHARACTERS = 512;

/** A row as scripts take it. */
export const auditFields = (row: AuditRow): Named =>
  Object.fromEntries(FIELDS.map(([field, name]) => [field, row[name]?.slice(0, MAX_CHARACTERS) || undefined]));

/** Whose decisions a trail holds; `sessionId` is absent where its rows name their sessions themselves. */
export type TrailOwner = Pick<AuditEntry, 'sessionId' | 'origin'>;

/** A row as Redis holds it. */
export function decodeAudit([id, flat]: readonly [string, readonly string[]], owner: TrailOwner): AuditEntry {
  const fields = toFields(flat);
  const named = FIELDS.flatMap(([field, name]) => (fields[field] === undefined ? [] : [[name, fields[field]] as const]));
  return { atMs: Number.parseInt(id, 10), ...owner, ...Object.fromEntries(named) } as AuditEntry; // the table names the fields
}
