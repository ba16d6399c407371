import type { Approval, Operand, Preview } from '@codelab/protocol';

/** What only the human at the executor answers. `callId`: the call that asks; several questions may be of one. */
export type Question = { readonly id: string; readonly callId: string } & (
  | PromptQuestion
  | ReviewQuestion
  | ConfirmQuestion
  | FormQuestion
  | AddressQuestion
  | SamplingQuestion
);

/** The model asks, and offers answers: `prompt_user`. */
export interface PromptQuestion {
  readonly kind: 'prompt';
  readonly message: string;
  readonly actions: readonly string[];
}

/** The model wants a patch reviewed; nothing is applied by that: `apply_patch_review`. */
export interface ReviewQuestion {
  readonly kind: 'review';
  /** A unified diff. */
  readonly diff: string;
  readonly message?: string;
}

/** The policy of this very machine asks about a call that the servers have let through already. It can be approved or rejected as it is. */
export interface ConfirmQuestion {
  readonly kind: 'confirm';
  readonly toolName: string;
  /** JSON text. */
  readonly args: string;
  readonly approval?: Approval;
  readonly preview?: Preview;
  readonly operands?: readonly Operand[];
  /** Why the last answer did not count. */
  readonly refusal?: string;
}

/** An MCP server asks with a form: a JSON Schema of an object whose properties are primitive. */
export interface FormQuestion {
  readonly kind: 'form';
  readonly server: string;
  readonly message: string;
  readonly schema: unknown;
}

/** An MCP server wants an address opened. */
export interface AddressQuestion {
  readonly kind: 'address';
  readonly server: string;
  readonly message: string;
  readonly url: string;
}

/** An MCP server wants the model asked. */
export interface SamplingQuestion {
  readonly kind: 'sampling';
  readonly server: string;
  readonly message: string;
  readonly prompt: string;
}

/** A line of a diff, without its sign. */
export interface ReviewedLine {
  readonly sign: ' ' | '+' | '-';
  readonly text: string;
  readonly noNewline?: boolean;
}

/** The answer to a question of the same kind; `address` and `sampling` are answered as a form without content. */
export type QuestionAnswer =
  | { readonly kind: 'prompt'; readonly action: string }
  /** The chunks to keep, by their numbers in the diff, from 1; the lines of those that were edited. */
  | {
      readonly kind: 'review';
      readonly chunks: readonly number[];
      readonly editedChunks?: readonly { readonly chunk: number; readonly lines: readonly ReviewedLine[] }[];
    }
  | { readonly kind: 'confirm'; readonly decision: 'approve' | 'reject'; readonly feedback?: string }
  | { readonly kind: 'form'; readonly content: Readonly<Record<string, FormAnswer>> }
  /** No, thank you: any question. `dismiss`: without an answer. */
  | { readonly kind: 'decline' }
  | { readonly kind: 'dismiss' };

/** What a field of a form can hold. */
export type FormAnswer = string | number | boolean | readonly string[];
