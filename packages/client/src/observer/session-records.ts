import type { SessionMode } from '@codelab/protocol';

/** What a person may change of a session, beside its agent. */
export interface SessionChoice {
  readonly model?: string;
  readonly mode?: SessionMode;
  readonly title?: string;
}

/** A picture in the result of a call; `data` is base64. */
export interface LoadedImage {
  readonly mediaType: string;
  readonly data: string;
}

/** What an observer needs of the gateway's REST routes, because frames don't carry it. */
export interface SessionRecords {
  /** A part of the conversation, oldest item first: the last one, or the one before `cursor`. `cursor` of the answer: there are older items. */
  history(
    sessionId: string,
    page?: { readonly cursor?: string; readonly limit?: number },
  ): Promise<{ readonly items: readonly unknown[]; readonly cursor?: string }>;
  /** How the session stands. */
  show(sessionId: string): Promise<{ readonly agent?: string; readonly model?: string; readonly mode?: string }>;
  change(sessionId: string, choice: SessionChoice): Promise<void>;
  /** The pictures that came of a call. Rejects with `UNKNOWN_CALL` while its result isn't in the conversation. */
  images(sessionId: string, callId: string): Promise<readonly LoadedImage[]>;
}

/** A route answered with an error. */
export class RestError extends Error {
  override readonly name = 'RestError';

  constructor(
    readonly status: number,
    /** The gateway's code, such as `SESSION_NOT_FOUND`; '' where something else answered. */
    readonly code: string,
    message: string,
  ) {
    super(message);
  }
}

interface Answer {
  readonly ok: boolean;
  readonly status: number;
  text(): Promise<string>;
}

/** What is used of the platform's `fetch`. */
export type Fetch = (
  url: string,
  init: {
    readonly method: string;
    readonly headers: Readonly<Record<string, string>>;
    readonly body?: string;
    readonly credentials: 'same-origin';
    readonly cache: 'no-store';
  },
) => Promise<Answer>;

/** Where and as whom the routes are asked. */
export interface RestOptions {
  /** `https://host`, without a slash at its end; '' for the page's own origin. */
  readonly origin?: string;
  /** A page says `x-codelab-console: 1` beside its cookie; a program says its bearer. Default: the former. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Default: the platform's. */
  readonly fetch?: Fetch;
}

/** Asks a route; resolves with the JSON of its answer. Rejects with {@link RestError}, or the platform's error if there is no answer. */
export async function askRest(options: RestOptions, method: string, path: string, body?: unknown): Promise<unknown> {
  const { origin = '', headers = { 'x-codelab-console': '1' } } = options;
  const fetch = options.fetch ?? globalThis.fetch;
  const answer = await fetch(`${origin}${path}`, {
    method,
    headers: body === undefined ? headers : { ...headers, 'content-type': 'application/json' },
    body: body === undefined ? undefined : JSON.stringify(body),
    ...{ credentials: 'same-origin', cache: 'no-store' },
  });
  const text = await answer.text();
  if (answer.ok) return text === '' ? undefined : JSON.parse(text);
  const { code, message } = readError(text);
  throw new RestError(answer.status, code ?? '', message ?? `The gateway answered ${String(answer.status)} to ${method} ${path}.`);
}

const readError = (text: string): { readonly code?: string; readonly message?: string } => {
  try {
    return (JSON.parse(text) as { readonly error?: { readonly code?: string; readonly message?: string } } | null)?.error ?? {};
  } catch {
    return {}; // a proxy's page
  }
};

/** The records of sessions, by REST. */
export function restRecords(options: RestOptions = {}): SessionRecords {
  const pathOf = (id: string): string => `/api/v1/sessions/${encodeURIComponent(id)}`;
  return {
    async history(id, { cursor, limit } = {}) {
      const query = new URLSearchParams({ ...(cursor && { cursor }), ...(limit && { limit: String(limit) }) }).toString();
      const page = (await askRest(options, 'GET', `${pathOf(id)}/history${query && `?${query}`}`)) as {
        readonly items: readonly unknown[];
        readonly next_cursor?: string;
      };
      return { items: page.items, cursor: page.next_cursor };
    },
    show: async (id) => (await askRest(options, 'GET', pathOf(id))) as { agent?: string; model?: string; mode?: string },
    async images(id, callId) {
      const path = `${pathOf(id)}/calls/${encodeURIComponent(callId)}/images`;
      const { images } = (await askRest(options, 'GET', path)) as { readonly images: readonly { media_type: string; data: string }[] };
      return images.map(({ media_type: mediaType, data }) => ({ mediaType, data }));
    },
    change: async (id, choice) => void (await askRest(options, 'PATCH', pathOf(id), choice)),
  };
}
