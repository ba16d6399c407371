import { ALL_SCOPES, type ApiKey, type Scope } from '@codelab/auth';

export const SCOPES = ALL_SCOPES;
export type { Scope };

/** One API key. Only the hash of the token stays in memory. */
export type TokenEntry = ApiKey;
