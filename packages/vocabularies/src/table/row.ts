import type { Idempotency, JsonSchema } from '@codelab/protocol';
import type { JsonObject } from '@codelab/tools';
import type { MarksChange, UseContext } from './use-context.js';

/** A call of a canonical tool (or of one of the runtime's own, such as `task`), which the runtime judges and gives to its executor. */
export interface CanonicalCall {
  readonly tool: string;
  readonly args: JsonObject;
}

/** What came of a canonical call. Calls of one use that went out together stand in the order in which they were given. */
export type Outcome = CanonicalCall & {
  /** A human was asked about the call. */
  readonly asked: boolean;
  /** The human had these arguments run instead of `args`. */
  readonly edited?: JsonObject | undefined;
} & (
    | { readonly ok: true; readonly result: JsonObject }
    /** `code`: a tool error code, such as `FILE_NOT_FOUND`. */
    | { readonly ok: false; readonly code: string; readonly message: string }
  );

/** An image as the model gets it. */
export interface ResultImage {
  /** `image/png`, … */
  readonly mediaType: string;
  /** base64 */
  readonly data: string;
}

/** A part of a result as clients can show it (seed `001…`). */
export interface ContextItem {
  readonly name: string;
  readonly description: string;
  readonly content: string;
  /** Where it comes from: `file:///home/dev/app/src/a.ts`, or a web address. */
  readonly uri?: string | undefined;
  /** The address of a picture for it. */
  readonly icon?: string | undefined;
}

/** The end of a use: what the model reads of it. */
export interface UseResult {
  readonly text: string;
  /** The same in parts, for clients; the model reads `text` alone. */
  readonly items?: readonly ContextItem[] | undefined;
  /** The model is told that the use failed. */
  readonly isError?: boolean;
  readonly images?: readonly ResultImage[];
  /** What later uses of the session must know; stored in the commit that stores the result. */
  readonly marks?: MarksChange;
  /** Another agent goes on with the turn. */
  readonly handOver?: { readonly agent: string; readonly note: string };
}

/** What a use does next: one more call, several side by side, or its end. */
export type Next = { readonly call: CanonicalCall } | { readonly calls: readonly CanonicalCall[] } | UseResult;

/** `ask`: a human is asked where no rule allows it. `setting`: not offered unless a setting makes it `ask`. */
export type RowPolicy = 'allow' | 'ask' | 'setting';

/**
 * A tool as one vocabulary shows it to a model: data and one pure function from the arguments and the outcomes so far to the next canonical
 * call or the text for the model. No clock and no I/O, so that a restarted runtime computes the same step again.
 */
export interface Row<Args = JsonObject> {
  /** What the model calls it: 1 to 64 of `[a-zA-Z0-9_-]`. */
  readonly name: string;
  /** For people: `Read file`. */
  readonly displayName: string;
  /** When to use it and when not, at most 120 tokens. */
  readonly description: string;
  /** JSON Schema 2020-12 that OpenAI's strict mode and Anthropic take. Arguments are coerced to it, then checked, before `next` sees them. */
  readonly parameters: JsonSchema;
  /** Names that are taken, too, and not shown, each with its way of writing the arguments. */
  readonly aliases?: Readonly<Record<string, (args: JsonObject) => JsonObject>>;
  /** A definition of the provider's own that stands for the schema, where the upstream speaks its dialect: `{type: 'bash_20250124', name: 'bash'}`. */
  readonly vendor?: (settings: VocabularySettings) => JsonObject & { readonly type: string };
  /** Other names that its arguments are taken by, and not shown: `{path: 'filepath'}`. The shown name wins where both are given. */
  readonly argumentAliases?: Readonly<Record<string, string>>;
  /** What it is where the client lacks a capability that it would use: another description, and no definition of the provider's. */
  readonly without?: { readonly capability: string; readonly description: string };
  readonly policy: RowPolicy;
  readonly readonly: boolean;
  readonly idempotency: Idempotency;
  /** Canonical tools and capabilities of the client without which it isn't offered; a list in it: one of them is enough. */
  readonly needs: readonly (string | readonly string[])[];
  /** Some of its uses only read: an agent that changes nothing is offered it, and its other uses are refused by the policy. */
  readonly reads?: true;
  /** The canonical tool that stands for it in the history, the policy of agents and the audit: for an edit `write_file`. */
  readonly stands: string;
  /** The file that it reads or edits, relative to the workspace: uses of one file run one after another if one of them edits. */
  readonly file?: (args: Args, context: UseContext) => string | undefined;
  /** The same, where it is about several files or about directories with what is below them. */
  readonly files?: (args: Args, context: UseContext) => readonly string[];
  /** It reads before it writes: several of different files in one answer go on side by side. */
  readonly composite?: true;
  /** Several uses of it in one answer go on side by side though they take effect. */
  readonly sideBySide?: true;
  /** What is wrong with arguments that the schema can't say: `cell_type: missing; expected code or markdown`. Judged before any call. */
  readonly check?: (args: Args, context: UseContext) => string | undefined;
  /** Loads what `next` needs in memory, such as a grammar; awaited before `next` computes from outcomes. It decides nothing. */
  readonly prepare?: (args: Args) => Promise<void>;
  readonly next: (args: Args, outcomes: readonly Outcome[], context: UseContext) => Next;
}

/** What an operator can set. */
export interface VocabularySettings {
  /** Characters of a view in `text-editor`. */
  readonly maxCharacters: number;
  /** `request_rule` and other rows of policy `setting` are offered, and ask. */
  readonly enabled: readonly string[];
}

/** Keeps the type of the arguments inside and gives the row that tables hold. The arguments have passed `parameters` when they come in. */
export const defineRow = <Args>(row: Row<Args>): Row => row as unknown as Row;
