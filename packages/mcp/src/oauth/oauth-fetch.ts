type Fetch = typeof globalThis.fetch;

const MAX_BYTES = 1024 * 1024;
const TIMEOUT_MS = 20_000;

const LOOPBACK = new Set(['localhost', '127.0.0.1', '[::1]']);

export const isLoopback = ({ hostname }: URL): boolean => LOOPBACK.has(hostname);

/** Addresses at which clouds keep secrets: link-local ones, and the names for them. */
const isMetadataAddress = ({ hostname }: URL): boolean =>
  /^169\.254\./.test(hostname) ||
  /^\[fe[89ab]/i.test(hostname) ||
  hostname === 'metadata.google.internal' ||
  hostname === '[fd00:ec2::254]';

/**
 * Whether a login may go to this address, which the server named: `https:`, or `http:` on this machine for a server on this machine, and
 * never an address at which a cloud keeps secrets.
 *
 * @returns what is wrong with it, as a phrase
 */
export function findOAuthUrlFault(target: URL, server: URL): string | undefined {
  if (target.protocol !== 'https:' && !(target.protocol === 'http:' && isLoopback(target) && isLoopback(server))) {
    return `the login would go to ${target.protocol}//${target.host}, which is not https`;
  }
  if (isMetadataAddress(target)) return `the login would go to ${target.host}, an address of this machine's cloud`;
  return undefined;
}

/** Requests of a login: to addresses that pass {@link findOAuthUrlFault}, following no redirect, bounded in size and time. */
export function oauthFetch(fetch: Fetch, server: URL): Fetch {
  return async (input, init) => {
    const target = new URL(input instanceof Request ? input.url : input);
    const fault = target.origin === server.origin ? undefined : findOAuthUrlFault(target, server);
    if (fault !== undefined) throw new Error(fault);
    const timeout = AbortSignal.timeout(TIMEOUT_MS);
    const signal = init?.signal ? AbortSignal.any([init.signal, timeout]) : timeout;
    const response = await fetch(target, { ...init, redirect: 'manual', signal });
    const body = await readBounded(response);
    const isEmpty = response.status === 204 || response.status === 304;
    return new Response(isEmpty ? null : body, {
      status: response.status || 502,
      statusText: response.statusText,
      headers: response.headers,
    });
  };
}

async function readBounded(response: Response): Promise<ArrayBuffer> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of (response.body ?? []) as AsyncIterable<Uint8Array>) {
    length += chunk.length;
    if (length > MAX_BYTES) throw new Error('the answer of the authorization server is larger than 1 MB');
    chunks.push(chunk);
  }
  return Uint8Array.from(Buffer.concat(chunks)).buffer;
}
