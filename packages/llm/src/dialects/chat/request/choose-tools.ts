import type { ToolChoice } from '../../../canonical/message.js';
import type { Quirks } from '../../../quirks.js';

/** What is said to a server that knows no `tool_choice`: the model may still not do it. */
export const MUST_CALL = 'Answer with at least one tool call.';

/** Something that a caller asked for and a server can't be told: for the log, and a header of the answer. */
export type Unenforced = 'tool_choice' | 'parallel_tool_calls';

/** How a choice of tools is put to a server. */
export interface ChosenTools {
  /** The one tool that is sent, or `none` or `all` of them. */
  readonly send: 'all' | 'none' | { readonly name: string };
  /** Whether `tool_choice` is sent. */
  readonly sendChoice: boolean;
  /** Whether `MUST_CALL` is added. */
  readonly mustCall: boolean;
  readonly unenforced: readonly Unenforced[];
}

/** A server that ignores `tool_choice` gets only the tools that may be used (OL2). */
export function chooseTools(choice: ToolChoice | undefined, quirks: Quirks): ChosenTools {
  const plain = { send: 'all', sendChoice: choice !== undefined, mustCall: false, unenforced: [] } as const;
  if (!quirks.no_tool_choice || choice === undefined) return plain;
  const filtered = { ...plain, sendChoice: false };
  if (choice === 'auto') return filtered;
  if (choice === 'none') return { ...filtered, send: 'none' };
  if (choice === 'required') return { ...filtered, mustCall: true, unenforced: ['tool_choice'] };
  return { ...filtered, send: choice };
}
