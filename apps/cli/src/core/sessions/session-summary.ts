/** One session, as the list shows it. */
export interface SessionSummary {
  readonly id: string;
  readonly title: string;
  readonly status: string;
  readonly model: string;
  readonly agent: string;
  /** How much is asked. */
  readonly mode: string;
  /** The name of the folder. */
  readonly workspace: string;
  readonly workspaceId: string;
  /** Messages of both sides and results. */
  readonly items: number;
  /** What the person said; undefined where servers didn't count. */
  readonly messages: number | undefined;
  readonly updatedAtMs: number;
}

/** Reads what REST says of a session; what it doesn't say is empty. */
export function readSessionSummary(session: unknown): SessionSummary {
  const fields = (typeof session === 'object' && session !== null ? session : {}) as Readonly<Record<string, unknown>>;
  const text = (value: unknown): string => (typeof value === 'string' ? value : '');
  const workspace = fields['workspace'] as { readonly name?: unknown; readonly id?: unknown } | undefined;
  const count = (value: unknown): number => (typeof value === 'number' ? value : 0);
  return {
    id: text(fields['session_id']),
    title: text(fields['title']),
    status: text(fields['status']),
    model: text(fields['model']),
    agent: text(fields['agent']),
    mode: text(fields['mode']),
    workspace: text(workspace?.name),
    workspaceId: text(workspace?.id),
    items: count(fields['history_items']),
    messages: typeof fields['user_messages'] === 'number' ? fields['user_messages'] : undefined,
    updatedAtMs: count(fields['updated_at_ms']),
  };
}
