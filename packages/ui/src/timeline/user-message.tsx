import { useState } from 'react';
import { formatBytes, formatPlural, type UserItem, type ViewAttachment } from '@codelab/client/view';
import { LongText } from '../text/long-text.js';
import { SafeText } from '../text/safe-text.js';
import { FileIcon, ImageIcon } from '../text/icons.js';

/** A pasted file need not fill the timeline: it was the user's own. */
const MAX_CHARACTERS = 1_200;
const MAX_LINES = 14;

const STATES = { sent: 'sending …', accepted: undefined, steered: 'into the running turn', refused: 'not sent' } as const;

/** What the user said. */
export function UserMessage({ item }: { readonly item: UserItem }) {
  const [isOpen, setIsOpen] = useState(false);
  const { content, state, attachments = [] } = item;
  const short = isOpen ? content : shorten(content);
  return (
    <div className={`cl-user cl-user--${state}`}>
      <div className="cl-user__bubble">
        <div className="cl-user__text">
          {content === '' ? <span className="cl-note">a message of another window</span> : <LongText text={short} />}
        </div>
        {short.length < content.length && (
          <button type="button" className="cl-more" onClick={() => setIsOpen(true)}>
            Show all of it
          </button>
        )}
        {attachments.length > 0 && (
          <ul className="cl-chips" aria-label="Files of this message">
            {attachments.map((attachment, index) => (
              <AttachmentChip key={index} attachment={attachment} />
            ))}
          </ul>
        )}
      </div>
      {STATES[state] !== undefined && <p className="cl-user__state">{STATES[state]}</p>}
    </div>
  );
}

function shorten(text: string): string {
  const lines = text.split('\n', MAX_LINES + 1);
  const byLines = lines.length > MAX_LINES ? lines.slice(0, MAX_LINES).join('\n') : text;
  return byLines.length > MAX_CHARACTERS ? byLines.slice(0, MAX_CHARACTERS) : byLines;
}

/** A file that went with a message: `src/a.ts:10-20 · 11 lines`. */
function AttachmentChip({ attachment: { path, lines, lineCount, imageBytes } }: { readonly attachment: ViewAttachment }) {
  const size = imageBytes !== undefined ? formatBytes(imageBytes) : lineCount !== undefined ? formatPlural(lineCount, 'line') : undefined;
  return (
    <li className="cl-chip">
      {imageBytes === undefined ? <FileIcon /> : <ImageIcon />}
      <span className="cl-chip__name">
        <SafeText text={lines === undefined ? path : `${path}:${lines}`} />
      </span>
      {size !== undefined && <span className="cl-chip__detail">{size}</span>}
    </li>
  );
}
