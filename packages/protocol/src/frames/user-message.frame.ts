import { defineClientFrame } from '../define-frame.js';
import { Choice, Digest, NestedList, Text } from '../fields.js';
import { LIMITS } from '../limits.js';

/** Images that models take. */
export const IMAGE_TYPES = ['image/png', 'image/jpeg', 'image/gif', 'image/webp'] as const;
export type ImageType = (typeof IMAGE_TYPES)[number];

/** A file that goes with a message; the client reads it when the message is sent. */
export class Attachment {
  @Text('The path in the workspace.', { min: 1, max: LIMITS.MAX_PATH_CHARACTERS }) path!: string;
  @Text('Lines, as `10-20`; the whole file without.', { optional: true, pattern: /^[0-9]+(-[0-9]+)?$/ }) lines?: string;
  @Digest('The digest of the content that was read.', { optional: true }) sha256?: string;
  @Text('The content, as the client read it; of an image in base64.', { optional: true, max: LIMITS.MAX_ATTACHMENT_CHARACTERS })
  content?: string;
  @Choice('The kind of an image; text without.', IMAGE_TYPES, { optional: true }) media_type?: ImageType;
}

/** What to do with a message while a turn runs. */
export const WHEN_BUSY = ['enqueue', 'steer', 'interrupt', 'reject'] as const;
export type WhenBusy = (typeof WHEN_BUSY)[number];

/** What a message may ask of the conversation itself. */
export const MESSAGE_COMMANDS = ['compact', 'clear'] as const;
export type MessageCommand = (typeof MESSAGE_COMMANDS)[number];

/** What the human says. Starts a turn, or joins by `when_busy`. */
export class UserMessage {
  @Text('The text, at most 10,000 characters.', { min: 1, max: LIMITS.MAX_MESSAGE_CHARACTERS }) content!: string;
  @Text('The key that makes a repeat harmless: the same answer comes again.', { optional: true, min: 1, max: 128 }) message_id?: string;
  @NestedList('Files that go with it.', Attachment, { optional: true, maxItems: 32 }) attachments?: Attachment[];
  @Text('The agent mode of the turn.', { optional: true, max: 64 }) agent?: string;
  @Text('The model of the turn.', { optional: true, max: 256 }) model?: string;
  @Choice('While a turn runs; `enqueue` without.', WHEN_BUSY, { optional: true }) when_busy?: WhenBusy;
  @Choice(
    'The message is for the service, not for the model: `compact` has what is older summed up, `content` says what to keep above all; after `clear` the ' +
      'model sees nothing of what was before. The record stays.',
    MESSAGE_COMMANDS,
    { optional: true },
  )
  command?: MessageCommand;
  @Text('W3C trace context.', { optional: true, max: 64 }) traceparent?: string;
}

export const userMessage = defineClientFrame({
  type: 'user_message',
  body: UserMessage,
  id: 'message_id',
  answeredBy: 'message_accepted',
  summary: 'Starts a turn, or joins the queue.',
});
