import type { QueuedMessage } from '@codelab/bus';
import type { StepBuilder } from './step-builder.js';
import type { SteeredMessage } from './turn-state.js';

/** A message that joined a turn too late starts one of its own. */
export const toQueued = (builder: StepBuilder, { messageId, frame }: SteeredMessage): QueuedMessage => ({
  messageId,
  turnId: builder.context.newId('turn'),
  frame,
});
