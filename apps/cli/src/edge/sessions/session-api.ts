import type { SessionMode } from '@codelab/protocol';
import { RestApi } from '../rest/rest-api.js';
import type { Gateway } from '../session/gateway.js';

/** The gateway's REST routes for sessions. Every method throws `CommandError` with what to do. */
export class SessionApi {
  private readonly rest: RestApi;

  constructor(gateway: Pick<Gateway, 'http' | 'token'>) {
    this.rest = new RestApi(gateway);
  }

  /** The sessions of the caller, the one that was used last first: all of them, or so many. */
  async list(limit?: number): Promise<readonly unknown[]> {
    return (await this.rest.pages('/api/v1/sessions', 'sessions', {}, limit)).flat();
  }

  /** A part of the same, and where the next one begins. */
  async page(cursor?: string): Promise<{ readonly sessions: readonly unknown[]; readonly next_cursor?: string }> {
    const query = cursor === undefined ? '' : `&cursor=${encodeURIComponent(cursor)}`;
    return (await this.rest.request('GET', `/api/v1/sessions?limit=100${query}`)) as { readonly sessions: readonly unknown[] };
  }

  async show(id: string): Promise<unknown> {
    return this.rest.request('GET', pathOf(id));
  }

  /** The whole conversation, oldest item first. */
  async history(id: string): Promise<readonly unknown[]> {
    return (await this.rest.pages(`${pathOf(id)}/history`, 'items')).toReversed().flat(); // the latest part comes first
  }

  /** The latest part of the conversation, oldest item first. */
  async latest(id: string): Promise<readonly unknown[]> {
    return (await this.rest.pages(`${pathOf(id)}/history`, 'items', {}, LATEST)).flat();
  }

  /** What fills the context of its next request. */
  async context(id: string): Promise<unknown> {
    return this.rest.request('GET', `${pathOf(id)}/context`);
  }

  /** The agents that can be named in it: the modes, and those that people describe in files. */
  async agents(id: string): Promise<readonly unknown[]> {
    const { agents = [] } = (await this.rest.request('GET', `${pathOf(id)}/agents`)) as { readonly agents?: readonly unknown[] };
    return agents;
  }

  /** The agents that work on parts of its task, or did within the last hour: sessions of their own. */
  async tasks(id: string): Promise<readonly unknown[]> {
    const { tasks = [] } = (await this.rest.request('GET', `${pathOf(id)}/tasks`)) as { readonly tasks?: readonly unknown[] };
    return tasks;
  }

  /** Sets how much is asked, from the next call on. */
  async setMode(id: string, mode: SessionMode): Promise<void> {
    await this.rest.request('PATCH', pathOf(id), { mode });
  }

  /** Whether there is such a session, of the caller's. */
  async has(id: string): Promise<boolean> {
    return (await this.rest.find(pathOf(id))) !== undefined;
  }

  async delete(id: string): Promise<void> {
    await this.rest.request('DELETE', pathOf(id));
  }
}

/** Items in which a message that has just begun a turn is found. */
const LATEST = 20;

const pathOf = (id: string): string => `/api/v1/sessions/${encodeURIComponent(id)}`;
