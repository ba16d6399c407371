import { useState } from 'react';
import { formatPlural, shownProgress } from '@codelab/client/view';
import { DownIcon, PauseIcon } from '../text/icons.js';
import type { Row } from './to-rows.js';

interface JumpBarProps {
  readonly rows: readonly Row[];
  /** Indexes of the first and the last row that are drawn. */
  readonly firstShown: number;
  readonly lastShown: number;
  readonly isAtEnd: boolean;
  /** Without an index: to the end. */
  readonly onJump: (index?: number) => void;
}

/** What stands where nobody looks: questions that wait, and what has come below. */
export function JumpBar({ rows, firstShown, lastShown, isAtEnd, onJump }: JumpBarProps) {
  const [seen, setSeen] = useState(rows.length);
  if (isAtEnd && seen !== rows.length) setSeen(rows.length);
  const fresh = isAtEnd ? 0 : Math.max(0, rows.length - seen);
  const waiting = isAtEnd
    ? []
    : rows.flatMap(({ item }, index) => (waits(item) && (index < firstShown || index > lastShown) ? [index] : []));
  if (isAtEnd) return null;
  return (
    <div className="cl-jump">
      {waiting.length > 0 && (
        <button type="button" className="cl-jump__button cl-jump__button--ask" onClick={() => onJump(waiting[0])}>
          <PauseIcon /> {formatPlural(waiting.length, 'question')} for you
        </button>
      )}
      <button type="button" className="cl-jump__button" onClick={() => onJump()}>
        <DownIcon /> {fresh > 0 ? `${formatPlural(fresh, 'new entry').replace('entrys', 'entries')}` : 'Jump to latest'}
      </button>
    </div>
  );
}

const waits = (item: Row['item']): boolean => item.kind === 'call' && shownProgress(item) === 'waiting';
