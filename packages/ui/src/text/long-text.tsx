import { useState } from 'react';
import { formatBytes } from '@codelab/client/view';
import { SafeText } from './safe-text.js';

/** Characters that are drawn without being asked for, and with each further wish. */
const FIRST = 20_000;
const MORE = 200_000;

/** Text as it came, line for line; of a very long one its beginning, and more on demand: a browser takes seconds to lay out some megabytes. */
export function LongText({ text }: { readonly text: string }) {
  const [shown, setShown] = useState(FIRST);
  const rest = text.length - shown;
  return (
    <span className="cl-plain">
      <SafeText text={rest > 0 ? cutAt(text, shown) : text} />
      {rest > 0 && (
        <button type="button" className="cl-button cl-button--plain" onClick={() => setShown(shown + MORE)}>
          … {formatBytes(rest)} more: show
        </button>
      )}
    </span>
  );
}

/** Not in the middle of a character. */
const cutAt = (text: string, end: number): string => {
  const last = text.charCodeAt(end - 1);
  return text.slice(0, last >= 0xd800 && last <= 0xdbff ? end - 1 : end);
};
