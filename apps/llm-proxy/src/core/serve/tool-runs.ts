import type { Exchange } from './route.js';

/** What a request asks for beyond an answer, in the dialect of its exchange: tools of the caller's IDEs, and running them here. */
export interface ToolRuns {
  /** Whether `body` has one of `tool_execution: "auto"`, `use_vscode_tools`, `use_ide_tools`, or says one wrongly. Cheap; never throws. */
  handles(body: unknown): boolean;
  /** Answers such a request. Throws like the handler of a route. */
  serve(exchange: Exchange, body: unknown): Promise<void>;
}
