import { ask, type Answer } from './ask.js';

/** A session as the gateway lists it. */
export interface SessionInfo {
  readonly session_id: string;
  readonly title?: string;
  readonly created_at_ms?: number;
  readonly updated_at_ms?: number;
  readonly status: 'idle' | 'running' | 'cancelling';
  readonly model?: string;
  readonly agent: string;
  readonly mode: string;
  /** `client_id` of the client that executes the tools. */
  readonly executor?: string;
  readonly executor_connected?: boolean;
  readonly workspace?: { readonly id?: string; readonly name?: string };
  readonly user_messages?: number;
}

export const readSession = (sessionId: string): Promise<Answer<SessionInfo>> =>
  ask('GET', `/api/v1/sessions/${encodeURIComponent(sessionId)}`);

export const renameSession = (sessionId: string, title: string): Promise<Answer<SessionInfo>> =>
  ask('PATCH', `/api/v1/sessions/${encodeURIComponent(sessionId)}`, { title });

export const removeSession = (sessionId: string): Promise<Answer<undefined>> =>
  ask('DELETE', `/api/v1/sessions/${encodeURIComponent(sessionId)}`);

/** What a session is called before people. */
export const nameOf = ({ title, session_id }: Pick<SessionInfo, 'title' | 'session_id'>): string => title || session_id;

/** Where a session is. */
export const sessionPath = (sessionId: string): string => `/sessions/${encodeURIComponent(sessionId)}`;
