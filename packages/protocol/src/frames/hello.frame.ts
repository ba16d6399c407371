import { CALL_EVIDENCE, type CallEvidence, type Idempotency } from '../call/call.js';
import { defineClientFrame } from '../define-frame.js';
import type { JsonSchema } from '../json-schema.js';
import { Choice, Integer, LooseList, Nested, NestedList, Text, TextList } from '../fields.js';

/** The versions of the protocol: each adds tools, and 2.1 arguments and results of them (docs/specification/tools.md#versions). */
export const PROTOCOL_VERSIONS = ['1.0', '1.1', '1.2', '2.0', '2.1'] as const;
export type ProtocolVersion = (typeof PROTOCOL_VERSIONS)[number];

/** What the program at the other end is called. */
export class ClientInfo {
  @Text('The name of the program.', { min: 1, max: 128 }) name!: string;
  @Text('Its version.', { max: 64 }) version!: string;
}

/** The folder that the tools work on. */
export class WorkspaceInfo {
  @Text('Kept by the client under the real path; the scope of project rules.', { min: 1, max: 128 }) id!: string;
  @Text('For people; decides nothing.', { max: 255 }) name!: string;
  @Text('The absolute path at the client, where a vocabulary needs absolute paths.', { optional: true, max: 4_096 }) root?: string;
  @Text('The branch that is checked out.', { optional: true, max: 255 }) branch?: string;
}

/** What the client's journal says of one call. */
export class JournalledCall {
  @Text('The call.', { min: 1, max: 128 }) call_id!: string;
  @Text('The digest that the journal holds for it; empty where the arguments have none.', { pattern: /^([0-9a-f]{64})?$/ })
  args_sha256!: string;
  @Choice('How far the call got.', [...CALL_EVIDENCE, 'done', 'unknown']) state!: CallEvidence | 'done' | 'unknown';
}

/** A frame of the log, by what is the same for everybody who is told it. */
export class ReadFrame {
  @Text('Its `type`.', { min: 1, max: 64 }) type!: string;
  @Text('Its `call_id`, where it has one.', { optional: true, max: 128 }) call_id?: string;
  @Text('Its `turn_id`, where it has one.', { optional: true, max: 128 }) turn_id?: string;
  @Text('Its `status`, where it has one.', { optional: true, max: 64 }) status?: string;
  @Text('Its `outcome`, where it has one.', { optional: true, max: 64 }) outcome?: string;
}

/** Where the client stopped reading. */
export class Resume {
  @Text('The life of the log that `seq` counts in.', { min: 1, max: 64 }) epoch!: string;
  @Integer('The last frame that the client has.') seq!: number;
  @Nested('What that frame was, where the client was told it: a log that lost it and went on has another one in its place.', ReadFrame, {
    optional: true,
  })
  frame?: ReadFrame;
  @NestedList('The last 32 calls of the journal.', JournalledCall, { optional: true, maxItems: 32 }) calls?: JournalledCall[];
}

/** A tool that only this client has. */
export interface ForeignTool {
  readonly name: string;
  readonly description: string;
  readonly input_schema: Readonly<Record<string, unknown>>;
  readonly tags?: readonly string[];
  readonly readonly?: boolean;
  readonly idempotency?: Idempotency;
}

const MAX_NAME_CHARACTERS = 128;

const isName = (name: unknown): name is string => typeof name === 'string' && name !== '' && [...name].length <= MAX_NAME_CHARACTERS;
const isObject = (value: unknown): boolean => typeof value === 'object' && value !== null && !Array.isArray(value);
const isAbsent = (value: unknown): boolean => value === undefined || value === null;

/** What is wrong with an entry of a list of tools; `undefined` if nothing is. */
export const faultOfTool = (item: unknown): string | undefined => {
  if (typeof item === 'string') return isName(item) ? undefined : 'a tool name has 1 to 128 characters';
  if (!isObject(item)) return 'a tool is a name or a definition';
  const tool = item as { readonly [Field in keyof ForeignTool]?: unknown };
  if (!isName(tool.name)) return 'a tool definition needs a name of 1 to 128 characters';
  if (typeof tool.description !== 'string') return `the tool ${tool.name} needs a description`;
  if (!isObject(tool.input_schema)) return `the tool ${tool.name} needs an input_schema`;
  const tags = tool.tags ?? [];
  if (!Array.isArray(tags) || tags.some((tag) => typeof tag !== 'string')) return `the tags of the tool ${tool.name} are a list of strings`;
  if (!isAbsent(tool.readonly) && typeof tool.readonly !== 'boolean') return `readonly of the tool ${tool.name} is true or false`;
  if (!isAbsent(tool.idempotency) && tool.idempotency !== 'safe' && tool.idempotency !== 'unsafe')
    return `idempotency of the tool ${tool.name} is safe or unsafe`;
  return undefined;
};

/** What {@link faultOfTool} takes, as a schema. */
export const TOOL_SCHEMA: JsonSchema = {
  oneOf: [
    { type: 'string', minLength: 1, maxLength: MAX_NAME_CHARACTERS },
    {
      type: 'object',
      required: ['name', 'description', 'input_schema'],
      properties: {
        name: { type: 'string', minLength: 1, maxLength: MAX_NAME_CHARACTERS },
        description: { type: 'string' },
        input_schema: { type: 'object' },
        tags: { type: ['array', 'null'], items: { type: 'string' } },
        readonly: { type: ['boolean', 'null'] },
        idempotency: { enum: ['safe', 'unsafe', null] },
      },
    },
  ],
};

/** How much is asked in a session (docs/specification/policy.md). */
export const SESSION_MODES = ['strict', 'medium', 'permissive', 'plan'] as const;
export type SessionMode = (typeof SESSION_MODES)[number];

/** Says who the client is and what it can. */
export class Hello {
  @TextList('The versions that the client speaks; the highest common one counts.', { minItems: 1, maxItems: 16 })
  protocol_versions!: string[];
  @Text('Names the installation; kept with the journal. A UUID.', { min: 1, max: 128 }) client_id!: string;
  @Nested('The program.', ClientInfo, { optional: true }) client?: ClientInfo;
  @LooseList('Canonical tool names, or definitions of tools that only this client has, at most 256 KB in all. Empty: an observer.', {
    optional: true,
    maxItems: 256,
    items: TOOL_SCHEMA,
    check: faultOfTool,
  })
  tools?: (string | ForeignTool)[];
  @Nested('The folder that the tools work on.', WorkspaceInfo, { optional: true }) workspace?: WorkspaceInfo;
  @TextList('The opt-in frames that the client wants; and `server_calls`, to be shown calls that the servers run.', {
    optional: true,
    maxItems: 64,
  })
  capabilities?: string[];
  @Nested('Where to go on reading.', Resume, { optional: true }) resume?: Resume;
  @Text('How the model sees the tools.', { optional: true, max: 32 }) vocabulary?: string;
  @Text('The model of the session.', { optional: true, max: 256 }) model?: string;
  @Choice(
    'How much is asked; in `plan` agents only read, until a human has accepted their plan. Beside a position in `resume` it counts only where the session begins anew.',
    SESSION_MODES,
    { optional: true },
  )
  mode?: SessionMode;
  @Text('The agent: a mode, or one that people describe in a file.', { optional: true, max: 64 }) agent?: string;
  @TextList('Names of agents that `workspace_facts` will describe, so that `agent` can be one of them from the beginning.', {
    optional: true,
    maxItems: 64,
  })
  agents?: string[];
}

export const hello = defineClientFrame({
  type: 'hello',
  body: Hello,
  answeredBy: 'welcome',
  summary: 'The first frame of a client: who it is, what it can, where it stopped reading.',
});
