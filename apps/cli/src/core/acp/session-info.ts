import type { SessionInfo } from '@agentclientprotocol/sdk';
import { readSessionSummary } from '../sessions/session-summary.js';

/** A conversation as the protocol lists it; none of one whose folder isn't known, since an editor couldn't open it. */
export function readSessionInfo(session: unknown): readonly SessionInfo[] {
  const { id, title, updatedAtMs } = readSessionSummary(session);
  const { workspace } = (session ?? {}) as { readonly workspace?: { readonly root?: unknown } };
  if (id === '' || typeof workspace?.root !== 'string') return [];
  return [
    {
      sessionId: id,
      cwd: workspace.root,
      title: title === '' ? null : title,
      ...(updatedAtMs > 0 && { updatedAt: new Date(updatedAtMs).toISOString() }),
    },
  ];
}
