import type { Owner } from '../session-ref.js';

/** Where a tool stands that was called. `mcp`: at an MCP server of the tools file. `caller`: only the program that asked can run it, and was handed the call. */
export type ToolCallSource = 'builtin' | 'client' | 'http' | 'mcp' | 'caller';

/** One tool call: who called what and how it went, never arguments or results. */
export interface ToolCallRow {
  readonly callId: string;
  readonly tool: string;
  readonly sessionId?: string;
  readonly model: string;
  /** The round of the loop, from 1. */
  readonly round: number;
  readonly source: ToolCallSource;
  readonly outcome: 'ok' | 'error' | 'handed_over';
  /** Why it failed: a code of the tool errors. */
  readonly errorCode?: string;
  /** Unix milliseconds. */
  readonly startedAtMs: number;
  readonly durationMs: number;
  /** Of the duration: spent waiting for a decision. */
  readonly approvalWaitMs?: number;
  /** Of the arguments. */
  readonly bytesIn: number;
  /** Of the result. */
  readonly bytesOut: number;
}

/** A part of the log, newest first. */
export interface ToolCallPage {
  readonly rows: readonly ToolCallRow[];
  /** Where the next part begins; absent for the last. */
  readonly next?: string;
}

/** What a cursor of the log looks like. */
export const TOOL_CALL_CURSOR = /^\d{1,16}-\d{1,16}$/;

/** The tool calls that llm-proxy saw, for each person: the last 10,000 of 30 days. */
export interface ToolCallLog {
  /** Notes a call; it is stored within a second. What is not stored when this process dies is lost. Never throws, never waits. */
  record(owner: Owner, row: ToolCallRow): void;
  /** Newest first. Throws `BusError`. */
  read(
    owner: Owner,
    page: { readonly limit: number; readonly before?: string; readonly sessionId?: string; readonly tool?: string },
  ): Promise<ToolCallPage>;
  /** Stores what is not stored yet. Throws `BusError` where that fails; it is tried again. */
  flush(): Promise<void>;
}
