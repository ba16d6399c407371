import type { Column } from '../text/render-columns.js';
import { renderColumns } from '../text/render-columns.js';
import type { Line } from '../text/span.js';
import { span } from '../text/span.js';

type Fields = Readonly<Record<string, unknown>>;

const COLUMNS: readonly Column[] = [
  { maxCharacters: 24 },
  { maxCharacters: 40, style: 'strong' },
  { maxCharacters: 72, style: 'plain' },
  { maxCharacters: 16, style: 'accent' },
  { maxCharacters: 40 },
  { maxCharacters: 300, style: 'plain' },
];

/** Draws who decided what, in the order given. Times are local ones. */
export function renderAudit(entries: readonly unknown[]): readonly Line[] {
  if (entries.length === 0) return [[span('Nothing was decided yet.')]];
  return renderColumns(entries.map(toRow), COLUMNS);
}

function toRow(entry: unknown): readonly string[] {
  const fields = (typeof entry === 'object' && entry !== null ? entry : {}) as Fields;
  const text = (name: string): string => (typeof fields[name] === 'string' ? fields[name] : '');
  const rule = text('rule_id');
  const reason = [text('reason'), rule === '' ? '' : `rule ${rule}`].filter((part) => part !== '').join(' · ');
  return [formatTime(fields['at_ms']), text('tool_name'), text('target'), text('outcome'), text('by'), reason];
}

function formatTime(atMs: unknown): string {
  if (typeof atMs !== 'number') return '';
  const at = new Date(atMs);
  const two = (value: number): string => String(value).padStart(2, '0');
  const day = `${at.getFullYear()}-${two(at.getMonth() + 1)}-${two(at.getDate())}`;
  return `${day} ${two(at.getHours())}:${two(at.getMinutes())}:${two(at.getSeconds())}`;
}
