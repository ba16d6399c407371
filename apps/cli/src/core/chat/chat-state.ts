import type { ApprovalPrompt } from '../approval/approval-prompt.js';
import type { PendingCall } from '../approval/pending-call.js';
import type { QuestionPrompt } from '../approval/question-prompt.js';
import type { ReviewPrompt } from '../approval/review-prompt.js';
import type { RememberedRule } from '@codelab/client';
import type { Preview, SessionMode } from '@codelab/protocol';
import type { ParsedPatch, PatchLine } from '@codelab/tools';
import type { Review } from '@codelab/tools/patch';
import { EMPTY_VIEW, type SessionEvent, type SessionView } from '@codelab/client/view';
import type { CustomCommand } from '../commands/custom-command.js';
import type { FormOutcome, FormPrompt, FormRequest } from '../form/form-prompt.js';
import type { Key } from '../input/key.js';
import type { HistorySearch } from '../input/history-search.js';
import type { EditorState } from '../input/line-editor.js';
import { EMPTY_EDITOR } from '../input/line-editor.js';
import type { Completion } from '../mentions/completion.js';
import type { Picker, PickerEntry } from '../picker/picker.js';

/** What asks for the user's attention. `hunks`: the hunks of a patch that waits for approval are being picked. */
export type Attention =
  | { readonly kind: 'approval'; readonly prompt: ApprovalPrompt }
  | { readonly kind: 'hunks'; readonly call: PendingCall; readonly prompt: ReviewPrompt }
  | { readonly kind: 'question'; readonly prompt: QuestionPrompt }
  | { readonly kind: 'form'; readonly prompt: FormPrompt }
  | { readonly kind: 'review'; readonly prompt: ReviewPrompt };

/** What was asked for; the state of an answer is in {@link Attention}. */
export type Asked =
  | { readonly kind: 'approval'; readonly call: PendingCall }
  | { readonly kind: 'question'; readonly callId: string; readonly message: string; readonly actions: readonly string[] }
  | { readonly kind: 'form'; readonly callId: string; readonly request: FormRequest }
  | { readonly kind: 'review'; readonly callId: string; readonly patch: ParsedPatch; readonly message: string };

/** Everything that the chat shows and remembers. */
export interface ChatState {
  readonly view: SessionView;
  /** Messages can be written; else keys only answer what is asked. */
  readonly writes: boolean;
  readonly editor: EditorState;
  /** Earlier messages are being searched; the line waits. */
  readonly search?: HistorySearch | undefined;
  /** All that waits for the user, oldest first. */
  readonly asked: readonly Asked[];
  readonly attention?: Attention | undefined;
  /** Keys before this time don't decide: they were typed for something else. */
  readonly armedAtMs: number;
  readonly focus: 'attention' | 'editor';
  /** The mention that is being typed, and what it can become. */
  readonly completion?: Completion | undefined;
  /** The commands that people wrote, as last looked for. */
  readonly customs: readonly CustomCommand[];
  /** A list that a command opened: it has all keys, and stands where the message is written. */
  readonly picker?: Picker | undefined;
  /** The model of the next messages, if it was chosen here. */
  readonly chosenModel?: string;
  /** A letter that may be a decision, or the first one of a message: which, shows in a moment. */
  readonly held?: { readonly key: Key; readonly atMs: number } | undefined;
  /** The window is in front, where the terminal tells it. */
  readonly focused?: boolean;
  /** Whether what models think is shown in full. */
  readonly thoughts: 'shown' | 'folded';
  /** Until when a second Ctrl-C leaves. */
  readonly leavesUntilMs: number;
  /** Modes that were chosen here and that no server has told yet, the first one first. */
  readonly modesOnTheirWay: readonly SessionMode[];
  /** The plan that was accepted here so that files are edited unasked: they are once the servers say that it is accepted. */
  readonly freeing?: string | undefined;
}

/** The chat before anything happened. `history`: messages of former times, oldest first. `model`: of all messages until another is chosen. `mode`: how much is asked. */
export const newChat = ({
  history = [],
  writes = true,
  model,
  mode,
  thoughts = 'folded',
}: {
  readonly history?: readonly string[];
  readonly writes?: boolean;
  readonly model?: string;
  readonly mode?: SessionMode;
  readonly thoughts?: ChatState['thoughts'];
} = {}): ChatState => ({
  view: { ...EMPTY_VIEW, mode },
  writes,
  editor: { ...EMPTY_EDITOR, history },
  asked: [],
  customs: [],
  armedAtMs: 0,
  chosenModel: model,
  thoughts,
  focus: 'editor',
  leavesUntilMs: 0,
  modesOnTheirWay: [],
});

export type ChatEvent = { readonly atMs: number } & (
  | { readonly kind: 'key'; readonly key: Key }
  /** Time has passed, as `wake` asked for. */
  | { readonly kind: 'tick' }
  | { readonly kind: 'session'; readonly event: SessionEvent }
  /** Another conversation stands in the place of the one before: nothing of that one is shown any more. */
  | { readonly kind: 'conversation_begun' }
  | { readonly kind: 'asked'; readonly asked: Asked }
  | { readonly kind: 'withdrawn'; readonly callId: string }
  /** Paths that begin with `path`, as `complete` asked for. */
  | { readonly kind: 'completed'; readonly path: string; readonly candidates: readonly string[] }
  /** The commands that people wrote. */
  | { readonly kind: 'customs_found'; readonly customs: readonly CustomCommand[] }
  /** What there is to pick from, for the picker of this command. */
  | { readonly kind: 'offered'; readonly command: string; readonly entries: readonly PickerEntry[] }
  /** The outer part of a command came to nothing. */
  | { readonly kind: 'command_failed'; readonly command: string; readonly why: string }
  /** A message could not be sent: it goes back to where it was written. */
  | { readonly kind: 'unsent'; readonly content: string; readonly why: string }
  /** The editor of the user came back with other arguments, or with nothing usable. */
  | { readonly kind: 'args_edited'; readonly callId: string; readonly args?: string; readonly fault?: string }
  /** What edited arguments would do, as `preview_args` asked for. */
  | { readonly kind: 'args_previewed'; readonly callId: string; readonly args: string; readonly preview: Preview }
  /** The same with the lines of the hunk that is reviewed. */
  | { readonly kind: 'hunk_edited'; readonly callId: string; readonly lines?: readonly PatchLine[]; readonly fault?: string }
);

/** What the chat wants done. The state already shows it as done. */
export type ChatEffect =
  /** `waits`: while a turn runs it is for its end, not for its next step. `command`: it is for the service, not for the model. */
  | {
      readonly kind: 'send';
      readonly content: string;
      readonly model?: string;
      readonly waits?: boolean;
      readonly command?: 'compact' | 'clear';
    }
  /** Sends the message of a command that the workspace defines. */
  | { readonly kind: 'send_custom'; readonly name: string; readonly args: string; readonly model?: string; readonly waits?: boolean }
  /** Looks which commands people wrote: one is being entered. */
  | { readonly kind: 'find_customs' }
  /** Takes a message out of the queue: it is being edited. */
  | { readonly kind: 'unqueue'; readonly messageId: string }
  /** Shows what the last calls did, in full. */
  | { readonly kind: 'show_calls' }
  /** Looks what a mention, or the line of a prompt, can become. */
  | { readonly kind: 'complete'; readonly of: Completion['of']; readonly path: string }
  /** Does the outer part of a command: `edge/chat/commands/<name>.ts`. `text`: what followed its name. */
  | { readonly kind: 'command'; readonly name: string; readonly text: string }
  | { readonly kind: 'cancel' }
  /** Runs a command of the user, at once; ends it. */
  | { readonly kind: 'run_shell'; readonly command: string }
  | { readonly kind: 'stop_shell' }
  | { readonly kind: 'switch_agent'; readonly agent: string }
  /** Sets how much is asked in the session. `before`: what it was, where that is known. */
  | { readonly kind: 'set_mode'; readonly mode: SessionMode; readonly before?: string }
  | {
      readonly kind: 'decide';
      readonly callId: string;
      readonly decision: 'approve' | 'edit' | 'reject';
      /** JSON text, with `edit`. */
      readonly args?: string;
      readonly feedback?: string;
      readonly remember?: RememberedRule;
    }
  | { readonly kind: 'edit_args'; readonly callId: string; readonly toolName: string; readonly args: string }
  /** Says what edited arguments would do, before they are approved. */
  | { readonly kind: 'preview_args'; readonly callId: string; readonly toolName: string; readonly args: string }
  /** Lines of a hunk: as the patch has them, and as they are now; and whether they are its last ones. */
  | {
      readonly kind: 'edit_hunk';
      readonly callId: string;
      readonly endsHunk: boolean;
      readonly original: readonly PatchLine[];
      readonly lines: readonly PatchLine[];
    }
  | { readonly kind: 'show_details'; readonly call: PendingCall }
  | { readonly kind: 'answer_question'; readonly callId: string; readonly action?: string }
  | { readonly kind: 'answer_form'; readonly callId: string; readonly outcome: FormOutcome }
  | { readonly kind: 'answer_review'; readonly callId: string; readonly review?: Review }
  /** Tells somebody who may look elsewhere. `isAway`: the window is not in front, as far as is known. */
  | { readonly kind: 'notify'; readonly text: string; readonly isAway: boolean }
  | { readonly kind: 'wake'; readonly afterMs: number }
  | { readonly kind: 'leave' };

export interface ChatStep {
  readonly state: ChatState;
  readonly effects: readonly ChatEffect[];
}
