import { useState } from 'react';
import type { SessionView } from '@codelab/client/view';
import { useFacts, usePort } from '../port/session-context.js';

/** What is being written, and the earlier messages that Up and Down go through. */
export interface Draft {
  readonly text: string;
  write(text: string): void;
  /** The message before, or behind, the one that stands there; undefined where there is none. */
  recall(direction: 'older' | 'newer'): string | undefined;
}

interface State {
  readonly text: string;
  /** How many messages back; 0 is what was being written. */
  readonly back: number;
  /** What was being written before somebody went back. */
  readonly own: string;
}

/** The message of one session that is being written. */
export function useDraft(): Draft {
  const port = usePort();
  const before = useFacts(({ sentBefore }) => sentBefore);
  const [state, setState] = useState<State>({ text: '', back: 0, own: '' });
  return {
    text: state.text,
    write: (text) => setState({ text, back: 0, own: text }),
    recall: (direction) => {
      const sent = earlierMessages(port.view(), before);
      const back = state.back + (direction === 'older' ? 1 : -1);
      if (back < 0 || back > sent.length) return undefined;
      const text = back === 0 ? state.own : sent[sent.length - back]!;
      setState({ text, back, own: state.own });
      return text;
    },
  };
}

/** The same message again and again counts once. */
function earlierMessages({ items }: SessionView, before: readonly string[] = []): readonly string[] {
  const said = items.flatMap((item) => (item.kind === 'user' && item.content !== '' ? [item.content] : []));
  const all = [...before, ...said];
  return all.filter((text, index) => text !== all[index - 1]);
}
