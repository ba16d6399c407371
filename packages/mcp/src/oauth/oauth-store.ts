import type { StoredOAuthClientInformation, StoredOAuthTokens } from '@modelcontextprotocol/client';

/** What is kept of the login to one server. */
export interface StoredLogin {
  /** The URL that it was made for. With another one in the configuration it counts as absent. */
  readonly url: string;
  readonly client?: StoredOAuthClientInformation;
  readonly tokens?: StoredOAuthTokens;
  /** Unix milliseconds at which the access token ends, where the server said so. */
  readonly expiresAt?: number;
}

/** Keeps logins, one per name of a server. */
export interface OAuthStore {
  read(server: string): Promise<StoredLogin | undefined>;
  write(server: string, login: StoredLogin): Promise<void>;
  remove(server: string): Promise<void>;
  /** Runs one at a time for a server, across processes: two that refresh would use up each other's refresh token. */
  locked<T>(server: string, run: () => Promise<T>): Promise<T>;
}
