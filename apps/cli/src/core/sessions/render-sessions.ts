import type { Column } from '../text/render-columns.js';
import { renderColumns } from '../text/render-columns.js';
import type { Line } from '../text/span.js';
import { span } from '../text/span.js';
import type { SessionSummary } from './session-summary.js';

/** `just now`, `5 min ago`, `yesterday`, `3 days ago`, then the date. */
export function formatAge(atMs: number, nowMs: number): string {
  const minutes = Math.floor((nowMs - atMs) / 60_000);
  if (minutes < 1) return 'just now';
  if (minutes < 60) return `${minutes} min ago`;
  if (minutes < 24 * 60) return `${Math.floor(minutes / 60)} h ago`;
  const days = Math.floor(minutes / (24 * 60));
  if (days === 1) return 'yesterday';
  return days < 30 ? `${days} days ago` : new Date(atMs).toISOString().slice(0, 10);
}

/** Draws the list of sessions, in the order given. Columns that hold nothing are left out. */
export function renderSessions(sessions: readonly SessionSummary[], nowMs: number): readonly Line[] {
  if (sessions.length === 0) return [[span('There are no conversations yet. '), span('codelab chat', 'strong'), span(' begins one.')]];
  const rows = sessions.map(({ id, updatedAtMs, status, workspace, title, model }) => [
    id,
    formatAge(updatedAtMs, nowMs),
    status === 'idle' ? '' : status,
    workspace,
    title || model,
  ]);
  return renderColumns(rows, COLUMNS);
}

const COLUMNS: readonly Column[] = [
  { maxCharacters: 64, style: 'strong' },
  { maxCharacters: 24 },
  { maxCharacters: 24 },
  { maxCharacters: 32 },
  { maxCharacters: 60 },
];
