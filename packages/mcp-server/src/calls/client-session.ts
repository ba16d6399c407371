import type { CallPlace } from '@codelab/client';

/** What a connection of another program is to this server. */
export interface ClientSession {
  /** Its calls are of this session: rules for a session and processes belong to it. */
  readonly id: string;
  /** The session is one connection of one program, so that a rule for it means what the human takes it for. */
  readonly isOne: boolean;
  /** `legacy`: questions are pushed while a call runs. `modern` (2026-07-28): they are results, answered by calling again. */
  readonly era: 'legacy' | 'modern';
}

/** Where its calls come from, for rules. */
export const placeOf = ({ id }: ClientSession, workspaceId: string): CallPlace => ({ sessionId: id, workspaceId });
