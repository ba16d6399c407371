import { askRest, browserSocket, restRecords, SessionObserver, type NativeWebSocket } from '@codelab/client/observer';
import { WebSocket } from 'ws';

/** A browser that is signed in to a gateway's console, as far as its cookie goes. */
export interface SignedIn {
  /** Asks a route of REST. */
  ask(method: string, path: string, body?: unknown): Promise<unknown>;
  /** Watches a session as a tab does; live when it resolves. */
  observe(sessionId: string): Promise<SessionObserver>;
}

/** Signs in at `http://host:port`. */
export async function signInBrowser(url: string, token: string): Promise<SignedIn> {
  const page = { origin: url, 'sec-fetch-site': 'same-origin', 'x-codelab-console': '1' };
  const answer = await fetch(`${url}/console/sign-in`, { method: 'POST', headers: page, body: JSON.stringify({ token }) });
  if (!answer.ok) throw new Error(`the sign-in was answered with ${String(answer.status)}: ${await answer.text()}`);
  const cookie = (answer.headers.get('set-cookie') ?? '').split(';')[0] ?? '';
  const rest = { origin: url, headers: { ...page, cookie } };
  class TabSocket extends WebSocket {
    constructor(address: string) {
      super(address, { headers: { origin: url, cookie } });
      this.on('error', () => undefined); // `close` follows
    }
  }
  return {
    ask: (method, path, body) => askRest(rest, method, path, body),
    observe: async (sessionId) => {
      const observer = new SessionObserver({
        url: `${url.replace('http', 'ws')}/ws`,
        sessionId,
        records: restRecords(rest),
        openSocket: browserSocket({ WebSocket: TabSocket as unknown as NativeWebSocket }),
        backoff: { firstMs: 50, maxMs: 500, factor: 2 },
      });
      await observer.connect();
      return observer;
    },
  };
}
