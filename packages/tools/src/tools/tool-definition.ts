import type { Idempotency, JsonSchema, ProtocolVersion, ToolErrorCode } from '@codelab/protocol';
import type { JsonObject } from '../arguments/json.js';
import type { PolicyRow } from '../policy/policy-row.js';

/** What a tool is about; agent modes and clients filter by it (docs/specification/tools.md#tags). */
type ToolGroup = 'file' | 'git' | 'search' | 'process' | 'user';

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
  readonly idempotency: Idempotency;
  /** What a model reads. */
  readonly description: string;
  /** JSON Schema 2020-12 of the arguments. Limits with an error code of their own (sizes, paths) are the executor's, not the schema's. */
  readonly parameters: JsonSchema;
  /** How long the executor may take, from `started`, in milliseconds. */
  readonly deadlineMs: number;
  /** Unix time at which whoever describes it last said something else of it: rules that allow it and are older don't count (H2). */
  readonly changedAtMs?: number;
  /** Where it comes from, which says how its results read; absent: `builtin`. */
  readonly source?: ToolSource;
}

/** `builtin`: of the specification, or of our runtime · `client`: the executor's own · `mcp`: of an MCP server · `http`: behind a URL. */
export type ToolSource = 'builtin' | 'client' | 'mcp' | 'http';

/** Which paths of the workspace a call names, and what it does to them. `unknown`: any, as for a command. */
export type ToolPaths =
  | 'none'
  | 'unknown'
  | {
      /** The arguments that are paths. */
      readonly named?: readonly string[];
      /** The argument that is a list of further paths. */
      readonly list?: string;
      /** The argument that is a unified diff, whose files are the paths. */
      readonly diff?: string;
      /** The arguments that are globs on names of files whose content is read. */
      readonly globs?: readonly string[];
      /** Without a path the call is about the whole workspace. */
      readonly orWhole?: true;
      /** The call is about all that lies below its paths, too. */
      readonly deep?: true;
      /** The call names every file that it changes, so that an agent can be allowed it for some files only. */
      readonly complete?: true;
      /** The paths are shown to the human, neither read nor written. */
      readonly onlyShown?: true;
      /** A path that is a directory goes with all that lies in it. */
      readonly takesAll?: 'moves' | 'deletes';
      /** What a call acts on beside its paths, as the end of a sentence. It may name none, then. */
      readonly besides?: string;
    };

/** A tool of the specification, and everything that is known of it without running it. */
export interface CanonicalDefinition extends ToolDefinition {
  /** JSON Schema of `tool_result.result`, as our executor answers. */
  readonly result: JsonSchema;
  /** The same with what version 2.1 adds. Only executors of it are sent such arguments or answer such fields; `codelab` shows a model neither. */
  readonly additions?: { readonly parameters?: JsonSchema; readonly result?: JsonSchema };
  /** Fields of the result without which nobody knows what happened. An executor written from the specification may leave out the others. */
  readonly essential: readonly string[];
  /** What an executor may answer instead, beside what any call can end with. */
  readonly errors: readonly ToolErrorCode[];
  /** The figures that a caller can run into, as people read them. */
  readonly limits: readonly string[];
  /** How calls are judged where no rule says otherwise. */
  readonly policy: PolicyRow | ((args: JsonObject) => PolicyRow);
  readonly paths: ToolPaths;
  /** Another tool, in whose place this one acts: rules about that one hold for it, too. */
  readonly standsFor?: string;
  /** The argument `command` is a line for the shell, run in `cwd`, and judged command by command. */
  readonly runsCommand?: true;
  /** What a rule must add that would allow every call of the tool otherwise. */
  readonly tooWide?: string;
  /** What a row of the audit trail shows that a call acts on, where that isn't its paths. Never file contents. */
  readonly target?: (args: JsonObject) => string;
  /** The argument that says most, for a call's line: the path, the command, the question. Text from outside, not made safe. */
  readonly describe: (args: JsonObject) => string;
  /** What came out, in a few words: `120 lines`, `exit 1`. Without it, or for an unknown shape, success says it all. Text from outside. */
  readonly summarise?: (result: JsonObject) => string | undefined;
}

/** A minute: what a tool that waits for nobody may take, and the least that the wire allows. */
export const DEFAULT_DEADLINE_MS = 60_000;

/** A day: what a tool that waits for a human may take. */
export const HUMAN_DEADLINE_MS = 24 * 60 * 60 * 1000;

/** What an executor of version 2.1 takes and answers: a whole schema each, which has what the definition's own has. */
export type WithAdditions<Tool, Name extends 'parameters' | 'result'> = Tool extends {
  readonly additions: { readonly [Field in Name]: infer Schema };
}
  ? Schema
  : Tool extends { readonly [Field in Name]: infer Schema }
    ? Schema
    : never;

/** What is wrong with a path before anything is looked up. */
export const PATH_ERRORS = ['INVALID_PATH', 'PATH_OUTSIDE_WORKSPACE'] as const;

type Defined = Omit<CanonicalDefinition, 'idempotency' | 'deadlineMs'> & { readonly deadlineMs?: number };

/**
 * Keeps the literal types of a definition, from which those of its arguments and its result follow. What only reads is `safe`, what writes
 * `unsafe`; `deadlineMs` is {@link DEFAULT_DEADLINE_MS} if left out.
 */
export const defineTool = <const Tool extends Defined>(tool: Tool) => ({
  deadlineMs: DEFAULT_DEADLINE_MS,
  ...tool,
  idempotency: tool.access === 'readonly' ? ('safe' as const) : ('unsafe' as const),
});

/** The schema of arguments: an object with these fields and no others. */
export const takes = <const Required extends readonly string[], const Properties>(required: Required, properties: Properties) =>
  ({ type: 'object', properties, required, additionalProperties: false }) as const;

/** The schema of a result, or of an object in one: it may have further fields. */
export const answer = <const Required extends readonly string[], const Properties>(required: Required, properties: Properties) =>
  ({ type: 'object', properties, required }) as const;
