import type { OAuthStore, StoredLogin } from './oauth-store.js';

/** Keeps logins as long as the process lives. */
export function memoryOAuthStore(): OAuthStore {
  const logins = new Map<string, StoredLogin>();
  const turns = new Map<string, Promise<unknown>>();
  return {
    read: (server) => Promise.resolve(logins.get(server)),
    write: (server, login) => {
      logins.set(server, login);
      return Promise.resolve();
    },
    remove: (server) => {
      logins.delete(server);
      return Promise.resolve();
    },
    locked: (server, run) => {
      const turn = (turns.get(server) ?? Promise.resolve()).then(run);
      turns.set(
        server,
        turn.catch(() => undefined),
      );
      return turn;
    },
  };
}
