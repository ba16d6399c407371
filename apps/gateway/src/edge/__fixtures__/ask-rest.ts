/** What came back of a request. */
export interface Reply {
  readonly status: number;
  readonly text: string;
  readonly body: Record<string, unknown>;
}

export interface Ask {
  readonly token?: string | undefined;
  readonly body?: unknown;
  readonly headers?: Record<string, string>;
}

/** Asks the REST of a gateway for something, as `alice` unless said otherwise. */
export async function askRest(gateway: { readonly url: string }, method: string, path: string, asked: Ask = {}): Promise<Reply> {
  const { token = 'alice-token', body, headers = {} } = asked;
  const response = await fetch(`${gateway.url}/api/v1${path}`, {
    method,
    headers: { ...(token === '' ? {} : { authorization: `Bearer ${token}` }), ...headers },
    ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
  });
  const text = await response.text();
  return { status: response.status, text, body: (text === '' ? {} : JSON.parse(text)) as Record<string, unknown> };
}

/** The status of a reply, and the code of its refusal. */
export const outcomeOf = ({ status, body }: Reply): unknown[] => [status, (body['error'] as { code?: string } | undefined)?.code];
