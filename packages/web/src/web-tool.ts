import type { ToolErrorCode } from '@codelab/protocol';
import type { JsonObject, PolicyRow, ToolDefinition } from '@codelab/tools';

/** A tool that the runtime runs itself; the shape of its `ServerTool`. */
export interface WebTool {
  readonly definition: ToolDefinition;
  readonly policy: PolicyRow;
  run(args: JsonObject, run: { readonly signal: AbortSignal }): Promise<WebOutcome>;
}

/** `text` is for the model, `items` are for clients. */
export type WebOutcome = { readonly ok: true; readonly result: { readonly text: string; readonly items?: JsonObject[] } } | WebFailure;

export interface WebFailure {
  readonly ok: false;
  readonly error: { readonly code: ToolErrorCode; readonly message: string };
}

export const failed = (code: ToolErrorCode, message: string): WebFailure => ({ ok: false, error: { code, message } });

/** The beginning of a text, cut between characters. */
export const firstOf = (text: string, characters: number): string => text.slice(0, characters).replace(/[\uD800-\uDBFF]$/, '');
