import type { Attachment } from '@codelab/protocol';
import type { StepBuilder } from '../turn/step-builder.js';

/** What a `user_message` frame says to a turn. */
export interface UserMessageFrame {
  readonly content: string;
  readonly attachments?: readonly Attachment[];
  readonly agent?: string;
  readonly model?: string;
}

/** Reads a `user_message` frame that the gateway has checked and stored. */
export const readUserMessage = (frame: string): UserMessageFrame => JSON.parse(frame) as UserMessageFrame;

/** Puts what the user said into the history. */
export function writeUserMessage(builder: StepBuilder, { messageId, frame }: { readonly messageId: string; readonly frame: string }): void {
  const { content, attachments } = readUserMessage(frame);
  builder.remember({
    role: 'user',
    turn_id: builder.runningTurn.turnId,
    message_id: messageId,
    content,
    ...(attachments === undefined || attachments.length === 0 ? {} : { attachments }),
    at_ms: builder.nowMs,
  });
}
