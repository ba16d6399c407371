import type { JsonSchema, ProtocolVersion, ToolErrorCode } from '@codelab/protocol';
import type { CanonicalTool } from './canonical-tools.js';

/** What a tool is about; agent modes and clients filter by it (docs/specification/tools.md#tags). */
export type ToolGroup = 'file' | 'git' | 'search' | 'process' | 'user';

/** Everything that servers and clients know of a tool before it runs. */
export interface ToolDefinition {
  /** The canonical name, which travels on the wire. What a model calls it is the vocabulary's affair. */
  readonly name: string;
  /** The protocol version that brought it: a client of an older one doesn't have it. */
  readonly since: ProtocolVersion;
  readonly group: ToolGroup;
  /** `write` changes something on the user's machine, `readonly` nothing. */
  readonly access: 'readonly' | 'write';
  /** `safe` calls may run side by side and may be repeated; `unsafe` ones run one after another and take effect at most once (R2). */
  readonly idempotency: 'safe' | 'unsafe';
  /** What a model reads. */
  readonly description: string;
  /** JSON Schema 2020-12 of the arguments. Limits with an error code of their own (sizes, paths) are the executor's, not the schema's. */
  readonly parameters: JsonSchema;
  /** How long the executor may take, from `started`, in milliseconds. */
  readonly deadlineMs: number;
}

/** A tool of the specification: what it answers is known too. */
export interface CanonicalDefinition extends ToolDefinition {
  readonly name: CanonicalTool;
  /** JSON Schema of `tool_result.result`, as our executor answers. */
  readonly result: JsonSchema;
  /** Fields of the result without which nobody knows what happened. An executor written from the specification may leave out the others. */
  readonly essential: readonly string[];
  /** What an executor may answer instead, beside what any call can end with. */
  readonly errors: readonly ToolErrorCode[];
  /** The figures that a caller can run into, as people read them. */
  readonly limits: readonly string[];
}

/** A minute: what a tool that waits for nobody may take, and the least that the wire allows. */
export const DEFAULT_DEADLINE_MS = 60_000;

/** A day: what a tool that waits for a human may take. */
export const HUMAN_DEADLINE_MS = 24 * 60 * 60 * 1000;
