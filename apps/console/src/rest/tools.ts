import { ask, withQuery, type Answer } from './ask.js';

/** A tool that agents can call. */
export interface ToolInfo {
  readonly name: string;
  readonly description?: string;
  /** JSON Schema of its arguments. */
  readonly input_schema?: Readonly<Record<string, unknown>>;
  readonly source: string;
  readonly access?: 'readonly' | 'write';
  readonly tags?: readonly string[];
  readonly server?: string;
}

/** A server that tools come from by the Model Context Protocol. */
export interface McpServerInfo {
  readonly name: string;
  readonly where: string;
  readonly state?: string;
  readonly tools?: number;
  readonly error?: string;
}

export interface ToolList {
  readonly tools: readonly ToolInfo[];
  readonly servers?: readonly McpServerInfo[];
}

/** The tools of one session, or of all that is connected. */
export const readTools = (sessionId?: string): Promise<Answer<ToolList>> =>
  ask('GET', withQuery('/api/v1/tools', { session_id: sessionId }));
