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

/**
 * Draws the list of sessions, in the order given. Columns that hold nothing are left out.
 * @param tasksOf sessions that work on parts of the task of one; they stand below it
 */
export function renderSessions(
  sessions: readonly SessionSummary[],
  nowMs: number,
  tasksOf: (session: SessionSummary) => readonly SessionSummary[] = () => [],
): readonly Line[] {
  if (sessions.length === 0) return [[span('There are no conversations yet. '), span('codelab chat', 'strong'), span(' begins one.')]];
  const rows = sessions.flatMap((session) => [
    rowOf(session, nowMs),
    ...tasksOf(session).map((task) => rowOf({ ...task, id: `└ ${task.id}`, workspace: task.agent }, nowMs)),
  ]);
  return renderColumns(rows, COLUMNS);
}

/** Draws the agents that work on parts of a conversation's task, or did; nothing where there are none. */
export function renderTasks(tasks: readonly SessionSummary[], nowMs: number): readonly Line[] {
  if (tasks.length === 0) return [];
  const rows = tasks.map((task) => rowOf({ ...task, workspace: task.agent }, nowMs));
  return [[], [span('Parts of it that agents took, each to be shown by its id:', 'muted')], ...renderColumns(rows, COLUMNS)];
}

const rowOf = ({ id, updatedAtMs, status, workspace, title, model }: SessionSummary, nowMs: number): readonly string[] => [
  id,
  formatAge(updatedAtMs, nowMs),
  status === 'idle' ? '' : status,
  workspace,
  title || model,
];

const COLUMNS: readonly Column[] = [
  { maxCharacters: 64, style: 'strong' },
  { maxCharacters: 24 },
  { maxCharacters: 24 },
  { maxCharacters: 32 },
  { maxCharacters: 60 },
];
