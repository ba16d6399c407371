import { isLocalHost, parseAuthority } from './local-host.js';

/** Where browsers may come from. */
export interface OriginRules {
  /** Origins, such as `https://codelab.example.com`. */
  readonly allowed: readonly string[];
  /** The server is bound to the loopback: a name that a foreign resolver leads there is not its own (DNS rebinding). */
  readonly isLoopbackOnly: boolean;
}

/** Programs send no origin. A browser's must be listed, or be this server itself. */
export function isWelcomeOrigin(
  { host, origin }: { readonly host?: string | undefined; readonly origin?: string | undefined },
  { allowed, isLoopbackOnly }: OriginRules,
): boolean {
  if (origin === undefined || allowed.includes(origin)) return true;
  const from = parseAuthority(origin);
  const isSame = from !== undefined && from.host === host;
  return isSame && (!isLoopbackOnly || isLocalHost(from.hostname));
}
