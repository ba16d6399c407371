import type { SessionView } from '@codelab/client/view';
import type { PortFacts, Question, Trouble } from '@codelab/ui/port';
import type { ViewPatch } from './view-patch.js';

/** What a host knows beside the session, as it travels: what can be done about a trouble is a command of the editor. */
export interface SentFacts extends Omit<PortFacts, 'trouble'> {
  readonly trouble?: { readonly message: Trouble['message']; readonly action?: { readonly label: string; readonly command: string } };
}

/** Methods of the port that are asked of the host and answered. */
export const ASKED = [
  'send',
  'cancel',
  'removeQueued',
  'decide',
  'choose',
  'loadOlder',
  'loadImages',
  'answer',
  'previewArguments',
  'completePath',
] as const;
export type AskedMethod = (typeof ASKED)[number];

/** What the view is told. */
export type ToView =
  | { readonly type: 'begin'; readonly view: SessionView; readonly questions: readonly Question[]; readonly facts: SentFacts }
  | { readonly type: 'view'; readonly patch: ViewPatch }
  | { readonly type: 'questions'; readonly questions: readonly Question[] }
  | { readonly type: 'facts'; readonly facts: SentFacts }
  | { readonly type: 'reply'; readonly id: number; readonly value?: unknown }
  | { readonly type: 'reply'; readonly id: number; readonly error: { readonly message: string; readonly code?: string } };

/** What the view says. Nothing of it is trusted further than a person's hand at the view is. */
export type FromView =
  | { readonly type: 'ready' }
  | { readonly type: 'ask'; readonly id: number; readonly method: AskedMethod; readonly args: readonly unknown[] }
  | { readonly type: 'open'; readonly what: 'file'; readonly path: string; readonly line?: number }
  | { readonly type: 'open'; readonly what: 'diff'; readonly callId: string }
  | { readonly type: 'open'; readonly what: 'link'; readonly url: string }
  | { readonly type: 'command'; readonly command: string };
