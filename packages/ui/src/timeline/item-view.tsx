import type { CallItem, Item } from '@codelab/client/view';
import { CallCard } from '../calls/call-card.js';
import { AssistantMessage } from './assistant-message.js';
import { Notice } from './notice.js';
import { ShellCard } from './shell-card.js';
import { Thought } from './thought.js';
import { TurnEnd } from './turn-end.js';
import { UserMessage } from './user-message.js';

/** Draws one entry of a session. `steps`: of a call of `task`, what its agent did. */
export function ItemView({ item, steps }: { readonly item: Item; readonly steps: readonly CallItem[] }) {
  switch (item.kind) {
    case 'user':
      return <UserMessage item={item} />;
    case 'assistant':
      return <AssistantMessage item={item} />;
    case 'call':
      return <CallCard call={item} steps={steps} />;
    case 'thought':
      return <Thought item={item} />;
    case 'turn_end':
      return <TurnEnd item={item} />;
    case 'notice':
      return <Notice item={item} />;
    case 'shell':
      return <ShellCard item={item} />;
  }
}
