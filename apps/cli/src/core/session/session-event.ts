import type { ServerFrame } from '@codelab/protocol';
import type { AttachmentChip } from '../mentions/attachment-chip.js';
import type { NoticeItem, SessionView } from './session-view.js';

/** What can change a session's view: frames of the server, and what happens on this machine. `atMs` is this machine's clock. */
export type SessionEvent = { readonly atMs: number } & (
  | { readonly kind: 'frame'; readonly frame: ServerFrame }
  | {
      readonly kind: 'message_sent';
      readonly messageId: string;
      readonly content: string;
      readonly attachments?: readonly AttachmentChip[];
    }
  | { readonly kind: 'call_started'; readonly callId: string }
  | {
      readonly kind: 'call_finished';
      readonly callId: string;
      readonly error?: { readonly code: string; readonly message: string };
      readonly summary?: string;
      /** Masks in its result. */
      readonly masks?: readonly string[];
    }
  | { readonly kind: 'call_printed'; readonly callId: string; readonly stream: 'stdout' | 'stderr'; readonly data: string }
  | {
      readonly kind: 'call_previewed';
      readonly callId: string;
      readonly preview: { readonly kind: 'diff' | 'command' | 'text'; readonly text: string };
    }
  | { readonly kind: 'cancel_sent' }
  | { readonly kind: 'link'; readonly link: SessionView['link'] }
  | { readonly kind: 'chose'; readonly model?: string; readonly agent?: string }
  | { readonly kind: 'notice'; readonly tone: NoticeItem['tone']; readonly text: string }
);
