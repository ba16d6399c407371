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
  /** Messages of both sides and results, as far as that is known. */
  readonly messages: number;
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
    messages: count(fields['history_items']),
    updatedAtMs: count(fields['updated_at_ms']),
  };
}
