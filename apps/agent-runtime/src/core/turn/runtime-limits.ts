import type { TaskBudget } from '@codelab/bus';
import type { VocabularyChoice } from '@codelab/tools';
import type { ToolLimits } from '../uses/tool-limits.js';

/** How far a turn may go. */
export interface RuntimeLimits {
  /** Model requests of one turn. */
  readonly maxRounds: number;
  /** Milliseconds that a turn may work; waiting for a human doesn't count. */
  readonly turnTimeoutMs: number;
  /** Milliseconds after which a question expires; 0: never. */
  readonly approvalTimeoutMs: number;
  /** The model of a session that names none; '' leaves it to the proxy. */
  readonly defaultModel: string;
  /** What `auto` means; `auto`: the vocabulary of the model's family. */
  readonly defaultVocabulary: VocabularyChoice;
  /** Of single tools; none without. */
  readonly tools?: ToolLimits;
  /** What a part of a task may use that is given to another agent. */
  readonly taskBudget?: TaskBudget;
  /** What this turn may use, where it works on a part of a task. */
  readonly budget?: TaskBudget;
}

/** Time for the true result of a call that was told to stop (docs/specification/calls.md#cancel: a cancelled turn ends within a second). */
export const STOP_GRACE_MS = 800;

/** What the server adds to a deadline before it steps in: the executor keeps it first. */
export const DEADLINE_GRACE_MS = 5_000;

/** The longest pause between two looks at a call that nobody has begun. */
export const MAX_CHECK_PAUSE_MS = 60 * 60_000;

/** Text is put to the log at most this often; what comes first goes at once. */
export const FLUSH_INTERVAL_MS = 25;

/** A frame carries at most this much new text, in UTF-16 units: far below the limit of a frame, whatever the characters. */
export const MAX_TOKEN_UNITS = 512 * 1024;

/** Repeats of a model request that failed. */
export const MAX_MODEL_RETRIES = 3;

/** How often a conversation is compacted for one answer that is too long all the same. */
export const MAX_SQUEEZES = 3;

/** The pause before the first repeat; each further one doubles it. */
export const RETRY_BASE_MS = 1_000;

/** A failure that asks for a longer pause ends the turn: whoever waits is told why instead. */
export const MAX_RETRY_AFTER_MS = 10 * 60_000;

/** Calls of one answer that are run; a model that asks for more at once is told so. Their results go into one commit. */
export const MAX_CALLS_PER_ANSWER = 64;

/** How often one call is asked anew before its mismatch is told to the model. */
export const MAX_ASKED_ANEW = 5;

/** A call's arguments must fit a frame with what stands around them. */
export const MARGIN_OF_FRAME_BYTES = 64 * 1024;

/** Calls of a session that are remembered by name after a result was made up for them. */
export const MAX_REPORTED = 32;

/** How much is kept of what came too late or was edited, for notes and for a stored state, in UTF-16 units. */
export const MAX_NOTE_UNITS = 64 * 1024;

/** Characters of a title. */
export const MAX_TITLE_CHARACTERS = 80;

/** When the rule of a decision is kept at the latest: the gateway says so within milliseconds, unless it dies in between. */
export const REVIEW_MS = 1_000;
