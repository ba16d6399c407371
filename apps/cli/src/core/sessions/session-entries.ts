import { formatPlural } from '@codelab/client/view';
import type { PickerEntry } from '../picker/picker.js';
import { sanitiseLine } from '@codelab/tools/human';
import { span, type Line } from '../text/span.js';
import { wrapSpans } from '../text/wrap-spans.js';
import { formatAge } from './render-sessions.js';
import type { SessionSummary } from './session-summary.js';

/** The conversations that were begun in a folder, without those in which nothing was said yet. */
export const sessionsOf = (sessions: readonly SessionSummary[], workspaceId: string): readonly SessionSummary[] =>
  sessions.filter((session) => session.workspaceId === workspaceId && session.items > 0);

/** Conversations as they are picked: `Fix the parser   3 h ago · 12 messages`. */
export const sessionEntries = (sessions: readonly SessionSummary[], nowMs: number): readonly PickerEntry[] =>
  sessions.map((session) => ({ value: session.id, label: titleOf(session), detail: factsOf(session, nowMs).join(' · ') }));

/** The same as a list to be read: two rows each, the second one with the id. */
export function renderSessionList(sessions: readonly SessionSummary[], nowMs: number, width: number): readonly Line[] {
  if (sessions.length === 0) return [[span('There are no conversations of this folder yet.', 'muted')]];
  return sessions.flatMap((session) => [
    ...wrapSpans([span(sanitiseLine(titleOf(session), 200), 'strong')], { width }),
    ...wrapSpans([span([...factsOf(session, nowMs), session.id].map((fact) => sanitiseLine(fact, 80)).join(' · '), 'muted')], {
      width,
      first: [span('  ')],
      rest: [span('  ')],
    }),
  ]);
}

const titleOf = ({ title, id }: SessionSummary): string => title || id;

const factsOf = ({ updatedAtMs, messages, status }: SessionSummary, nowMs: number): readonly string[] => [
  formatAge(updatedAtMs, nowMs),
  ...(messages === undefined ? [] : [formatPlural(messages, 'message')]),
  ...(status === 'idle' || status === '' ? [] : [status]),
];
