import { useId, useState } from 'react';
import { formatDuration, formatSeconds, type ThoughtItem } from '@codelab/client/view';
import { sanitiseLine } from '@codelab/tools/human';
import { useNow } from '../hooks/use-now.js';
import { LongText } from '../text/long-text.js';
import { ChevronIcon } from '../text/icons.js';

/** What the model thought: folded, with how long it took; while it thinks, its last line beside it. */
export function Thought({ item }: { readonly item: ThoughtItem }) {
  const [isOpen, setIsOpen] = useState(false);
  const id = useId();
  const now = useNow(!item.done);
  const took = item.done ? formatDuration(item.endedAtMs - item.startedAtMs) : formatSeconds(now - item.startedAtMs);
  return (
    <div className={item.done ? 'cl-thought' : 'cl-thought cl-thought--live'}>
      <button type="button" className="cl-fold" aria-expanded={isOpen} aria-controls={id} onClick={() => setIsOpen(!isOpen)}>
        <ChevronIcon />
        <span>{item.done ? (item.endedAtMs > item.startedAtMs ? `Thought for ${took}` : 'Thought') : `Thinking, ${took}`}</span>
        {!item.done && !isOpen && (
          <span className="cl-thought__last">{sanitiseLine(item.text.trimEnd().split('\n').at(-1) ?? '', 200)}</span>
        )}
      </button>
      <div id={id} hidden={!isOpen} className="cl-thought__text">
        {isOpen && <LongText text={item.text.trim()} />}
      </div>
    </div>
  );
}
