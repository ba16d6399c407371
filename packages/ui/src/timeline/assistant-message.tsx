import type { AssistantItem } from '@codelab/client/view';
import { Markdown } from '../markdown/markdown.js';
import { CopyButton } from '../text/copy-button.js';

/** What the model says. */
export function AssistantMessage({ item }: { readonly item: AssistantItem }) {
  return (
    <div className={item.replaced ? 'cl-assistant cl-assistant--replaced' : 'cl-assistant'}>
      <Markdown text={item.text} live={!item.done} />
      {item.replaced && <p className="cl-note">The model was asked again: its new answer follows.</p>}
      {item.done && !item.replaced && item.text.length > 200 && (
        <div className="cl-assistant__tools">
          <CopyButton text={item.text} what="message" />
        </div>
      )}
    </div>
  );
}
