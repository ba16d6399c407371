import { CommandError } from '../../core/command-error.js';
import type { Gateway } from '../session/choose-gateway.js';

/** Entries that one request brings; the most that the gateway gives. */
const PAGE = 100;
const TIMEOUT_MS = 15_000;

type Page = Readonly<Record<string, unknown>> & { readonly next_cursor?: string };

/** The gateway's REST routes for sessions. Every method throws `CommandError` with what to do. */
export class SessionApi {
  constructor(private readonly gateway: Pick<Gateway, 'http' | 'token'>) {}

  /** All sessions of the caller, the one that was used last first. */
  async list(): Promise<readonly unknown[]> {
    return (await this.pages('/api/v1/sessions', 'sessions')).flat();
  }

  async show(id: string): Promise<unknown> {
    return (await this.request('GET', pathOf(id))).json();
  }

  /** The whole conversation, oldest item first. */
  async history(id: string): Promise<readonly unknown[]> {
    return (await this.pages(`${pathOf(id)}/history`, 'items')).reverse().flat(); // the latest part comes first
  }

  async delete(id: string): Promise<void> {
    await this.request('DELETE', pathOf(id));
  }

  private async pages(path: string, name: string): Promise<unknown[][]> {
    const pages: unknown[][] = [];
    let cursor: string | undefined;
    do {
      const query = cursor === undefined ? '' : `&cursor=${encodeURIComponent(cursor)}`;
      const page = (await (await this.request('GET', `${path}?limit=${PAGE}${query}`)).json()) as Page;
      pages.push(page[name] as unknown[]);
      cursor = page.next_cursor;
    } while (cursor !== undefined);
    return pages;
  }

  private async request(method: 'GET' | 'DELETE', path: string): Promise<Response> {
    const { http, token } = this.gateway;
    const init = { method, headers: { authorization: `Bearer ${token}` }, signal: AbortSignal.timeout(TIMEOUT_MS) };
    const answer = await fetch(http + path, init).catch((cause: unknown) => {
      throw new CommandError(`No gateway answers at ${http}: start one with \`codelab up\`, or give its address with --url.`, 1, { cause });
    });
    if (answer.ok) return answer;
    if (answer.status === 401) throw new CommandError(`The gateway at ${http} doesn't know this token: give the right one with --token.`);
    if (answer.status === 404) throw new CommandError('There is no such conversation: `codelab sessions` lists them.');
    const { error } = (await answer.json().catch(() => ({}))) as { readonly error?: { readonly message?: string } };
    throw new CommandError(`The gateway refused it: ${error?.message ?? `HTTP ${answer.status}`}`);
  }
}

const pathOf = (id: string): string => `/api/v1/sessions/${encodeURIComponent(id)}`;
