import { setTimeout as delay } from 'node:timers/promises';
import { startScriptedProvider, type RecordedRequest, type Reply } from '@codelab/testkit';

/** How long a model thinks between two calls of a turn that goes on. */
const THINKS_MS = 40;
/** A turn of so many calls ends, before the runtime's own limit, and the next message begins another one. */
const CALLS_OF_TURN = 40;

/** A model that always knows what to do next. */
export interface SteadyModel {
  readonly baseUrl: string;
  /** From now on requests wait; resolves when so many wait at once. */
  holdAll(count: number): Promise<void>;
  /** What comes from now on is answered. What waits goes on waiting: its answers are for somebody who is gone. */
  answerNew(): void;
  close(): Promise<void>;
}

const textOf = (content: unknown): string =>
  Array.isArray(content)
    ? content.map((part: { readonly text?: string }) => part.text ?? '').join('')
    : typeof content === 'string'
      ? content
      : '';

/** Calls since the last message of the user. */
const callsSoFar = ({ body }: RecordedRequest): number => {
  const last = body.messages.findLastIndex(({ role }) => role === 'user');
  return body.messages.slice(last).filter(({ role }) => role === 'tool').length;
};

/** A provider over real HTTP: to a message that says `busy` it calls a tool again and again, to another one it says a word. */
export async function startSteadyModel(): Promise<SteadyModel> {
  let isHolding = false;
  let waiting = 0;
  let count = 0;
  let onWaiting: () => void = () => undefined;
  const forever = new Promise<never>(() => undefined);

  const script = async (request: RecordedRequest): Promise<Reply> => {
    const last = textOf(request.body.messages.findLast(({ role }) => role === 'user')?.content);
    if (!last.includes('busy')) return { text: 'Yes.' };
    if (isHolding) {
      waiting += 1;
      onWaiting();
      void request.ended.then(() => (waiting -= 1));
      return { hold: forever };
    }
    await delay(THINKS_MS);
    if (callsSoFar(request) >= CALLS_OF_TURN) return { text: 'Done.' };
    count += 1; // a call that is made again and again is asked about
    return { toolCalls: [{ id: `call_${String(count)}`, name: 'read_file', arguments: `{"path":"${String(count)}.txt"}` }] };
  };

  const provider = await startScriptedProvider({ script, forgets: true });
  return {
    baseUrl: provider.baseUrl,
    holdAll: (wanted) => {
      isHolding = true;
      return new Promise((resolve) => {
        onWaiting = () => void (waiting >= wanted && resolve());
        onWaiting();
      });
    },
    answerNew: () => void (isHolding = false),
    close: () => provider.close(),
  };
}
