import type { QueuedMessage } from '@codelab/bus';
import type { Draft } from './draft.js';
import type { SteeredMessage } from './turn-state.js';

/** A message that joined a turn too late starts one of its own. */
export const toQueued = (draft: Draft, { messageId, frame }: SteeredMessage): QueuedMessage => ({
  messageId,
  turnId: draft.context.newId('turn'),
  frame,
});
