/** What a token may do. */
export const SCOPES = ['llm', 'tools:list', 'tools:run', 'session', 'approve'] as const;
export type Scope = (typeof SCOPES)[number];

/** One API key. Only the hash of the token stays in memory. */
export interface TokenEntry {
  /** Lower-case hex SHA-256 of the token. */
  readonly sha256: string;
  readonly tenant: string;
  readonly sub: string;
  readonly scopes: readonly Scope[];
}
