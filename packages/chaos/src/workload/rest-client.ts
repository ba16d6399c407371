import { setTimeout as delay } from 'node:timers/promises';
import type { ChaosEventBody } from '../recording/chaos-event.js';

/** An answer over HTTP; status 0: there came none. */
export interface RestAnswer {
  readonly status: number;
  readonly body: object;
}

/** Time that one request has: a gateway may be frozen. */
const REQUEST_MS = 3_000;
const RETRY_MS = 150;

/** One person's requests to the gateways, recorded. */
export class RestClient {
  constructor(
    private readonly options: {
      readonly name: string;
      readonly url: string;
      readonly token: string;
      readonly record: (event: ChaosEventBody) => void;
    },
  ) {}

  async ask(method: string, path: string, request?: object): Promise<RestAnswer> {
    const { name: observer, url, token, record } = this.options;
    const about = { kind: 'rest', observer, method, path, request } as const;
    try {
      const response = await fetch(url + path, {
        method,
        headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
        body: request && JSON.stringify(request),
        signal: AbortSignal.timeout(REQUEST_MS),
      });
      const text = await response.text();
      const body = (text === '' ? {} : JSON.parse(text)) as object;
      record({ ...about, status: response.status, answer: body });
      return { status: response.status, body };
    } catch {
      record(about); // nobody answered: a gateway died, or its link did
      return { status: 0, body: {} };
    }
  }

  /** Asks until somebody answers who could, or the time is over. */
  async insist(method: string, path: string, request: object | undefined, withinMs: number): Promise<RestAnswer> {
    const deadline = performance.now() + withinMs;
    for (;;) {
      const answer = await this.ask(method, path, request);
      const couldAnswer = answer.status !== 0 && answer.status !== 429 && answer.status < 500;
      if (couldAnswer || performance.now() > deadline) return answer;
      await delay(RETRY_MS);
    }
  }
}
