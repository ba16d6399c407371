import type { AssistantItem, SessionView } from '@codelab/client/view';

/** What is used of a conversation. */
interface Followed {
  readonly view: () => SessionView;
  readonly subscribe: (listener: () => void) => () => void;
  readonly send: (message: { readonly content: string }) => Promise<void>;
}

/**
 * Says something in a conversation, and hands on what is answered, piece by piece, until no turn runs and nothing waits; what stood there before is
 * not handed on. An aborted signal ends it at once.
 */
export async function followAnswer(
  conversation: Followed,
  { content, tell, signal }: { readonly content: string; readonly tell: (text: string) => void; readonly signal: AbortSignal },
): Promise<void> {
  const known = new Set(assistantsOf(conversation.view()).map(({ messageId }) => messageId));
  const told = new Map<string, number>();
  const hear = (): void => {
    for (const { messageId, text } of assistantsOf(conversation.view())) {
      if (known.has(messageId)) continue;
      const from = told.get(messageId) ?? 0;
      if (text.length > from) tell((from === 0 && told.size > 0 ? '\n\n' : '') + text.slice(from));
      told.set(messageId, text.length);
    }
  };
  const end = conversation.subscribe(hear);
  try {
    await conversation.send({ content });
    await untilRests(conversation, signal);
    hear();
  } finally {
    end();
  }
}

const assistantsOf = ({ items }: SessionView): readonly AssistantItem[] => items.filter((item) => item.kind === 'assistant');

const rests = ({ turn, queue, items }: SessionView): boolean =>
  turn === undefined && queue.length === 0 && !items.some((item) => item.kind === 'user' && item.state === 'sent');

function untilRests({ view, subscribe }: Followed, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted || rests(view())) return resolve();
    const finish = (): void => {
      end();
      signal.removeEventListener('abort', finish);
      resolve();
    };
    const end = subscribe(() => rests(view()) && finish());
    signal.addEventListener('abort', finish);
  });
}
