import type { WriteStream } from 'node:tty';
import { EMPTY_VIEW, readHistory } from '@codelab/client/view';
import { exportMarkdown } from '../../core/sessions/export-markdown.js';
import { renderSessions, renderTasks } from '../../core/sessions/render-sessions.js';
import { readSessionSummary, type SessionSummary } from '../../core/sessions/session-summary.js';
import { loadHighlighter } from '../../core/markdown/highlight-code.js';
import { Transcript } from '../../core/session/transcript.js';
import { truncateLine } from '../../core/text/wrap-spans.js';
import { inColour, printLines } from '../print-lines.js';
import type { GatewayOptions } from '../session/choose-gateway.js';
import { findGateway } from '../session/choose-gateway.js';
import { SessionApi } from './session-api.js';

/** How long tasks are kept after their end; a session that was last used before has none. */
const TASKS_KEPT_MS = 60 * 60_000;

/** Prints the sessions of the caller; with `tasks` the agents that worked for each, too. */
export async function listSessions(options: GatewayOptions & { readonly tasks?: true }, out: WriteStream): Promise<void> {
  const api = new SessionApi(await findGateway(options));
  const sessions = (await api.list()).map(readSessionSummary);
  const tasks = new Map<string, readonly SessionSummary[]>();
  const mayHave = options.tasks
    ? sessions.filter(({ status, updatedAtMs }) => status !== 'idle' || updatedAtMs > Date.now() - TASKS_KEPT_MS)
    : [];
  for (const { id } of mayHave) tasks.set(id, (await api.tasks(id)).map(readSessionSummary));
  const rows = renderSessions(sessions, Date.now(), ({ id }) => tasks.get(id) ?? []);
  printLines(out.isTTY ? rows.map((row) => truncateLine(row, out.columns)) : rows, out);
}

/** Prints a conversation as `chat` shows it. */
export async function showSession(id: string, options: GatewayOptions, out: WriteStream): Promise<void> {
  const api = new SessionApi(await findGateway(options));
  const items = readHistory(await api.history(id)).map((item) =>
    item.kind === 'call' && item.progress === 'ready' ? { ...item, progress: 'unknown' as const } : item,
  );
  const look = { width: (out.columns ?? 100) - 1, highlight: await loadHighlighter(), marks: !inColour(out), nowMs: Date.now() };
  const tasks = (await api.tasks(id).catch(() => [])).map(readSessionSummary); // an older gateway tells of none
  printLines([...new Transcript().update({ ...EMPTY_VIEW, items }, look).settled, ...renderTasks(tasks, look.nowMs)], out);
}

/** Prints a conversation in full: as Markdown for people, or as the items that the servers keep. */
export async function exportSession(id: string, format: 'markdown' | 'json', options: GatewayOptions, out: WriteStream): Promise<void> {
  const api = new SessionApi(await findGateway(options));
  const session = await api.show(id);
  const history = await api.history(id);
  out.write(
    format === 'json'
      ? `${JSON.stringify({ session, history }, null, 2)}\n`
      : exportMarkdown(readSessionSummary(session), readHistory(history)),
  );
}

/** Deletes a conversation, with everything that the servers keep of it. */
export async function deleteSession(id: string, options: GatewayOptions, out: WriteStream): Promise<void> {
  await new SessionApi(await findGateway(options)).delete(id);
  printLines([[{ text: `Deleted ${id}.` }]], out);
}
