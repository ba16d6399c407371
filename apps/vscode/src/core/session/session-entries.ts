/** A conversation in the list. */
export interface SessionEntry {
  readonly id: string;
  readonly label: string;
  /** When, and where it stands. */
  readonly description: string;
  readonly tooltip: string;
  readonly state: 'waiting' | 'running' | 'idle';
}

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');
const numberOf = (value: unknown): number => (typeof value === 'number' ? value : 0);

/** What an entry says beside what REST lists of its session. */
interface Known {
  readonly nowMs: number;
  /** Only sessions of this folder are entries. */
  readonly workspaceId?: string;
  /** Sessions in which a call waits for a human. */
  readonly waiting?: ReadonlySet<string>;
}

/** The sessions that a list of waiting calls is about, as REST answers it. */
export const sessionsOf = (approvals: readonly unknown[]): ReadonlySet<string> =>
  new Set(approvals.map((approval) => textOf((approval as { readonly session_id?: unknown } | null)?.session_id)));

/** What REST lists, newest first, as entries. */
export function toEntries(sessions: readonly unknown[], { nowMs, workspaceId, waiting }: Known): readonly SessionEntry[] {
  return sessions.flatMap((session) => {
    const fields = (session ?? {}) as Readonly<Record<string, unknown>>;
    const id = textOf(fields['session_id']) || textOf(fields['id']);
    const workspace = (fields['workspace'] ?? {}) as Readonly<Record<string, unknown>>;
    if (id === '' || (workspaceId !== undefined && textOf(workspace['id']) !== workspaceId)) return [];
    const title = textOf(fields['title']) || 'Without a title';
    const status = textOf(fields['status']);
    const waits = waiting?.has(id) === true;
    const state = waits ? 'waiting' : status === 'running' || status === 'cancelling' ? 'running' : 'idle';
    const used = numberOf(fields['last_active_at_ms']) || numberOf(fields['updated_at_ms']) || numberOf(fields['created_at_ms']);
    const words = [used === 0 ? '' : sayAge(nowMs - used), state === 'waiting' ? 'waits for you' : state === 'running' ? 'works' : ''];
    const about = [title, textOf(workspace['name']), textOf(fields['agent']), textOf(fields['model']), id];
    return { id, label: title, description: words.filter(Boolean).join(' · '), tooltip: about.filter(Boolean).join('\n'), state };
  });
}

/** How long ago, in the largest unit that fits. */
export function sayAge(ms: number): string {
  const minutes = Math.floor(ms / 60_000);
  if (minutes < 1) return 'now';
  if (minutes < 60) return `${String(minutes)} min`;
  const hours = Math.floor(minutes / 60);
  if (hours < 24) return `${String(hours)} h`;
  const days = Math.floor(hours / 24);
  return days === 1 ? 'yesterday' : `${String(days)} days`;
}
