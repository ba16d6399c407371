import type { JsonObject } from '@codelab/tools';

/** What a call answers, whichever way it went. */
export type Answer =
  | { readonly ok: true; readonly result: JsonObject }
  | { readonly ok: false; readonly code: string; readonly message: string };

/** A way to run the tools of a workspace. The human in it approves everything, takes the first action and keeps every chunk. */
export interface ToolDriver {
  run(tool: string, args: JsonObject): Promise<Answer>;
  close(): Promise<void>;
}

/** Opens a way to run tools in this folder. */
export type OpenDriver = (root: string) => Promise<ToolDriver>;
