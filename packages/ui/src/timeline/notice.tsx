import type { NoticeItem } from '@codelab/client/view';
import { LongText } from '../text/long-text.js';
import { CrossIcon, InfoIcon, WarningIcon } from '../text/icons.js';

const ICONS = { info: InfoIcon, warning: WarningIcon, error: CrossIcon } as const;

/** Something that people should know. */
export function Notice({ item: { tone, text } }: { readonly item: NoticeItem }) {
  const Icon = ICONS[tone];
  return (
    <div className={`cl-notice cl-notice--${tone}`}>
      <Icon />
      <p>
        {tone !== 'info' && <span className="cl-hidden">{tone === 'error' ? 'Error: ' : 'Warning: '}</span>}
        <LongText text={text} />
      </p>
    </div>
  );
}
