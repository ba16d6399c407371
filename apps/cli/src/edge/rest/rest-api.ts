import { CommandError, TokenError } from '../../core/command-error.js';
import type { Gateway } from '../session/gateway.js';

/** Entries that one request brings; the most that the gateway gives. */
const PAGE = 100;
const TIMEOUT_MS = 15_000;

type Page = Readonly<Record<string, unknown>> & { readonly next_cursor?: string };

class MissingError extends CommandError {}

/** The gateway's REST routes, as far as they are alike. Every method throws `CommandError` with what to do. */
export class RestApi {
  constructor(private readonly gateway: Pick<Gateway, 'http' | 'token'>) {}

  /** The entries of a list, part by part, up to `limit` of them. */
  async pages(
    path: string,
    name: string,
    query: Readonly<Record<string, string | undefined>> = {},
    limit = Infinity,
  ): Promise<readonly unknown[][]> {
    const pages: unknown[][] = [];
    let cursor: string | undefined;
    let left = limit;
    do {
      const search = new URLSearchParams();
      const fields = { ...query, limit: String(Math.min(PAGE, left)), cursor };
      for (const [key, value] of Object.entries(fields)) if (value !== undefined) search.set(key, value);
      const page = (await this.request('GET', `${path}?${search.toString()}`)) as Page;
      const entries = (page[name] as unknown[]).slice(0, left);
      pages.push(entries);
      left -= entries.length;
      cursor = page.next_cursor;
    } while (cursor !== undefined && left > 0);
    return pages;
  }

  /** What is at a path; undefined where there is nothing. */
  async find(path: string): Promise<unknown> {
    return this.request('GET', path).catch((error: unknown) => {
      if (error instanceof MissingError) return undefined;
      throw error;
    });
  }

  async request(method: 'GET' | 'POST' | 'PATCH' | 'DELETE', path: string, body?: object): Promise<unknown> {
    const { http, token } = this.gateway;
    const answer = await fetch(http + path, {
      method,
      headers: { authorization: `Bearer ${token}`, ...(body ? { 'content-type': 'application/json' } : {}) },
      body: body && JSON.stringify(body),
      signal: AbortSignal.timeout(TIMEOUT_MS),
    }).catch((cause: unknown) => {
      throw new CommandError(`No gateway answers at ${http}: start one with \`codelab up\`, or give its address with --url.`, 1, { cause });
    });
    if (answer.status === 204) return undefined;
    if (answer.ok) return answer.json();
    if (answer.status === 401)
      throw new TokenError(
        `The gateway at ${http} doesn't know this token: set CODELAB_TOKEN to the right one, or name its file with --token-file.`,
      );
    if (answer.status === 404) throw new MissingError('There is no such conversation: `codelab sessions` lists them.');
    const { error } = (await answer.json().catch(() => ({}))) as { readonly error?: { readonly message?: string } };
    throw new CommandError(`The gateway refused it: ${error?.message ?? `HTTP ${answer.status}`}`);
  }
}
