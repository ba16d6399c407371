import { useState } from 'react';
import { sanitiseLine } from '@codelab/tools/human';
import type { QueuedMessage } from '@codelab/client/view';
import { usePort, useSession } from '../port/session-context.js';
import { SafeText } from '../text/safe-text.js';
import { CrossIcon } from '../text/icons.js';

/** Messages that wait for their turn, and those that are about to go into the one that runs. */
export function WaitingMessages() {
  const queue = useSession((view) => view.queue);
  const steering = useSession((view) => view.steering);
  return (
    <>
      <MessageList title="Goes into the running turn" messages={steering} />
      <MessageList title="Waits for its turn" messages={queue} />
    </>
  );
}

function MessageList({ title, messages }: { readonly title: string; readonly messages: readonly QueuedMessage[] }) {
  const port = usePort();
  const [problem, setProblem] = useState<string>();
  if (messages.length === 0) return null;
  const remove = (id: string): void => {
    setProblem(undefined);
    port.removeQueued(id).catch((error: Error) => setProblem(error.message));
  };
  return (
    <section className="cl-panel" aria-label={title}>
      <h3 className="cl-panel__title">{title}</h3>
      <ol className="cl-queue">
        {messages.map(({ messageId, content, attachments = [], unconfirmed }) => (
          <li key={messageId} className={unconfirmed ? 'cl-queue__one cl-queue__one--new' : 'cl-queue__one'}>
            <span className="cl-queue__text">{content === '' ? 'a message of another window' : sanitiseLine(content, 300)}</span>
            {attachments.length > 0 && <span className="cl-faint"> +{attachments.length}</span>}
            <button
              type="button"
              className="cl-icon-button"
              aria-label={`Remove: ${sanitiseLine(content, 60)}`}
              title="Remove"
              onClick={() => remove(messageId)}
            >
              <CrossIcon />
            </button>
          </li>
        ))}
      </ol>
      {problem !== undefined && (
        <p className="cl-problem" role="alert">
          <SafeText text={problem} />
        </p>
      )}
    </section>
  );
}
