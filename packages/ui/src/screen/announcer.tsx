import { isSettled, shownProgress, type CallItem, type Item, type SessionView } from '@codelab/client/view';
import { describeCall, sanitiseLine, toolTitle } from '@codelab/tools/human';
import { useSession } from '../port/session-context.js';

/** Items from the end that are looked at: what is news stands there. */
const LOOKED_AT = 30;

/** Says what has happened to those who listen: whole messages, questions, ends. Never a token. */
export function Announcer() {
  const news = useSession(latestNews);
  return (
    <p className="cl-hidden" role="status" aria-live="polite" aria-atomic="true">
      {news}
    </p>
  );
}

function latestNews({ items }: SessionView): string {
  for (let index = items.length - 1; index >= Math.max(0, items.length - LOOKED_AT); index -= 1) {
    const news = newsOf(items[index]!);
    if (news !== undefined) return news;
  }
  return '';
}

function newsOf(item: Item): string | undefined {
  switch (item.kind) {
    case 'assistant':
      return item.done && item.text !== '' ? `CodeLab says: ${sanitiseLine(item.text, 600)}` : undefined;
    case 'call':
      return newsOfCall(item);
    case 'turn_end':
      if (item.status === 'completed') return undefined;
      return item.status === 'failed' ? `The turn failed: ${sanitiseLine(item.error?.message ?? '', 300)}` : 'The turn was stopped.';
    case 'notice':
      return sanitiseLine(item.text, 300);
    default:
      return undefined;
  }
}

function newsOfCall(call: CallItem): string | undefined {
  const what = `${toolTitle(call.toolName)} ${sanitiseLine(describeCall(call.toolName, call.args), 160)}`;
  if (shownProgress(call) === 'waiting') return `Waits for your decision: ${what}`;
  return isSettled(call) && call.progress !== 'done' ? `${call.progress}: ${what}` : undefined;
}
