import { browserSocket, restRecords, SessionObserver, type ClosedReason } from '@codelab/client/observer';
import type { PortFacts, SessionPort } from '@codelab/ui';
import { ask } from '../../rest/ask.js';
import { SIGNED_OUT } from '../../shell/signed-out.js';

/** A session that this page watches, for the components of `@codelab/ui`. */
export interface ObservedSession {
  readonly port: SessionPort;
  /** Begins to watch; ends with the function that it answers. */
  start(): () => void;
  /** Tells the components what is known beside the session. */
  tell(facts: PortFacts): void;
}

/** The endpoint for WebSockets of the gateway that this page came from. */
const endpoint = (): string => `${location.protocol === 'https:' ? 'wss' : 'ws'}://${location.host}/ws`;

/** A page isn't told why an upgrade was refused: a plain question with the same cookie is. */
const diagnose = async (): Promise<number | undefined> => {
  const answer = await ask('GET', '/api/v1/agents');
  return answer.ok ? 200 : answer.trouble.status || undefined;
};

/** The connection is over for good: why, and the way out. */
const toTrouble = ({ kind, message }: ClosedReason): PortFacts['trouble'] => ({
  message,
  action:
    kind === 'unauthorized'
      ? { label: 'Sign in again', run: () => void dispatchEvent(new Event(SIGNED_OUT)) }
      : { label: 'Load the page anew', run: () => location.reload() },
});

/** Watches a session over a connection of its own, as the person who is signed in. */
export function observeSession(sessionId: string): ObservedSession {
  let known: PortFacts = {};
  let over: PortFacts['trouble'];
  let facts: PortFacts = {};
  const listeners = new Set<() => void>();
  const tellAll = (): void => {
    facts = { ...known, trouble: over ?? known.trouble };
    for (const listener of listeners) listener();
  };
  const records = restRecords({});
  const observer = new SessionObserver({
    url: endpoint,
    sessionId,
    client: { name: 'codelab-console', version: '1' },
    records,
    openSocket: browserSocket({ diagnose }),
    onState: (state) => {
      if (state.kind !== 'closed' || state.reason.kind === 'closed') return;
      over = toTrouble(state.reason);
      tellAll();
    },
  });
  return {
    start: () => {
      observer.connect().catch(() => undefined); // the view says that the connection is closed
      const wake = (): void => (document.hidden ? undefined : observer.wake());
      document.addEventListener('visibilitychange', wake);
      addEventListener('online', wake);
      return () => {
        document.removeEventListener('visibilitychange', wake);
        removeEventListener('online', wake);
        observer.close();
      };
    },
    tell: (told) => {
      known = told;
      tellAll();
    },
    port: {
      view: observer.view,
      subscribe: (listener) => {
        listeners.add(listener);
        const stop = observer.subscribe(listener);
        return () => {
          listeners.delete(listener);
          stop();
        };
      },
      send: (message) => observer.send(message),
      cancel: (options) => observer.cancel(options),
      removeQueued: (messageId) => observer.removeQueued(messageId),
      decide: (callId, answer) => observer.decide(callId, answer),
      choose: (what) => observer.choose(what),
      loadOlder: () => observer.loadOlder(),
      loadImages: (callId) => records.images(sessionId, callId),
      facts: () => facts,
    },
  };
}
