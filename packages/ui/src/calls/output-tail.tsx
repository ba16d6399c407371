import { memo, useMemo } from 'react';
import { formatPlural, lastLines } from '@codelab/client/view';
import { SafeText } from '../text/safe-text.js';

/** Characters of a line. */
const MAX_LINE = 1_000;

interface OutputTailProps {
  readonly tail: string;
  /** Lines that are shown, the last ones. */
  readonly lines: number;
  /** There was more than `tail` holds. */
  readonly cut?: boolean;
}

/** The end of what was printed, as a terminal would leave it, without what steers one. */
export const OutputTail = memo(function OutputTail({ tail, lines: count, cut = false }: OutputTailProps) {
  const all = useMemo(() => lastLines({ tail }, Infinity), [tail]);
  if (all.length === 0) return null;
  const hidden = all.length - count;
  return (
    <div className="cl-output">
      {(hidden > 0 || cut) && (
        <p className="cl-output__cut">
          {hidden > 0 ? `${formatPlural(hidden, 'line')}${cut ? ' and more' : ''} above` : 'there was more above'}
        </p>
      )}
      <pre tabIndex={0} aria-label="Output">
        <SafeText
          text={all
            .slice(-count)
            .map((line) => line.slice(0, MAX_LINE))
            .join('\n')}
        />
      </pre>
    </div>
  );
});
