import type { Owner, SessionMeta, SessionReads } from '@codelab/bus';
import { refuse } from '@codelab/protocol';
import { presentSession } from './present-session.js';
import { RefusedRequest } from './refused-request.js';
import type { Page } from './page.js';

/** Sessions that one answer looks at; a search that found less than was asked for goes on with its cursor. */
const MAX_SCANNED = 1_000;
const SCANNED_AT_ONCE = 200;
const MAX_QUERY_CHARACTERS = 200;

export const STATUSES = ['idle', 'running', 'cancelling'] as const;

/** What a list is narrowed by. */
export interface SessionFilter {
  /** Words that all stand in the title, the name, the folder or the agent, in any case. */
  readonly query?: string;
  readonly status?: string;
  readonly agent?: string;
}

/** A part of a person's sessions, the one that was used last first. `next`: where the next part begins. */
export interface FoundSessions {
  readonly sessions: readonly SessionMeta[];
  readonly next?: number;
}

/** Reads a filter. Throws `RefusedRequest`. */
export function checkFilter({ query, status }: SessionFilter): void {
  if ((query ?? '').length > MAX_QUERY_CHARACTERS)
    throw new RefusedRequest(refuse('INVALID_FIELD', `query: at most ${String(MAX_QUERY_CHARACTERS)} characters`));
  if (status !== undefined && !STATUSES.some((known) => known === status))
    throw new RefusedRequest(refuse('INVALID_FIELD', `status: one of ${STATUSES.join(', ')}`));
}

/** The sessions that fit. Looks at 1,000 at most. */
export async function findSessions(
  store: Pick<SessionReads, 'list'>,
  owner: Owner,
  filter: SessionFilter,
  { cursor = 0, limit }: Page,
): Promise<FoundSessions> {
  const isNarrow = Object.values(filter).some((value) => value !== undefined && value !== '');
  if (!isNarrow) {
    const sessions = await store.list(owner, { offset: cursor, limit });
    return { sessions, ...(sessions.length === limit ? { next: cursor + limit } : {}) };
  }
  const found: SessionMeta[] = [];
  for (let offset = cursor; offset < cursor + MAX_SCANNED; offset += SCANNED_AT_ONCE) {
    const some = await store.list(owner, { offset, limit: SCANNED_AT_ONCE });
    for (const [at, meta] of some.entries()) {
      if (fits(meta, filter)) found.push(meta);
      if (found.length === limit) return { sessions: found, next: offset + at + 1 };
    }
    if (some.length < SCANNED_AT_ONCE) return { sessions: found };
  }
  return { sessions: found, next: cursor + MAX_SCANNED };
}

function fits(meta: SessionMeta, { query = '', status, agent }: SessionFilter): boolean {
  const shown = presentSession(meta);
  if (status !== undefined && status !== '' && shown.status !== status) return false;
  if (agent !== undefined && agent !== '' && shown.agent !== agent) return false;
  const { name = '' } = (shown.workspace ?? {}) as { readonly name?: string };
  const words = [shown.title, shown.session_id, shown.agent, shown.model, name].join('\n').toLowerCase();
  return query
    .toLowerCase()
    .split(/\s+/)
    .every((word) => words.includes(word));
}
