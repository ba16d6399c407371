import type { ProgramRecord, SessionMeta, StepTool, TaskRecord } from '@codelab/bus';
import {
  DEFAULT_DEADLINE_MS,
  isAtLeast,
  isCanonicalTool,
  judgedMode,
  type PolicyMode,
  readCapabilities,
  readExecutorTools,
  SEED_EXECUTOR,
  type ToolDefinition,
  VOCABULARY_CHOICES,
  type VocabularyChoice,
} from '@codelab/tools';
import { NO_TOOLS } from '../server-tools/join-sources.js';
import type { ServerTool } from '../server-tools/server-tool.js';
import type { WorkspaceInfo } from '@codelab/protocol';
import { type KnownWorkspace, NOTHING_KNOWN } from '../prompt/told.js';

/** What a turn needs to know of its session, and what may change while it runs. */
export interface SessionFacts {
  /** Who owns the session: it is they who cancel. */
  readonly sub: string;
  readonly model: string;
  readonly agent: string;
  readonly mode: PolicyMode;
  /** Agents only read, until a human has accepted their plan. */
  readonly plans: boolean;
  /** In whose words models call tools; `auto`: by the model's family. */
  readonly vocabulary: VocabularyChoice;
  readonly title: string;
  /** `client_id` of the executor, `seed`, or '' for none. */
  readonly executor: string;
  /** The tools that the executor has and its protocol version knows. */
  readonly tools: readonly ToolDefinition[];
  /** The tools that the servers run for it, none with a canonical name. */
  readonly serverTools: readonly ServerTool[];
  readonly workspace: { readonly id: string; readonly name: string; readonly root?: string; readonly branch?: string } | undefined;
  /** What the executor says of it, for the model alone. */
  readonly knowledge: KnownWorkspace;
  /** The executor looks at the files that a rule is bound to before it runs a call: its protocol is 2.0 or later. */
  readonly checksFiles: boolean;
  /** What the executor has beside tools for a model: names of capabilities, `x1` to `x5`. */
  readonly capabilitiesOfExecutor: ReadonlySet<string>;
  /** Opt-in frames that somebody reads. */
  readonly capabilities: ReadonlySet<string>;
  readonly clientGraceMs: number;
  /** Set where a program began the session through llm-proxy: it decides nothing, and only rules that say so allow it something (H1). */
  readonly program?: ProgramFacts;
  /** Set where it works on a part of the task of another session. */
  readonly task?: TaskRecord;
}

const readWorkspace = (text: string): SessionFacts['workspace'] => {
  if (text === '') return undefined;
  const { id, name, root, branch } = JSON.parse(text) as Partial<WorkspaceInfo> & { readonly name: string };
  return { id: id ?? '', name, root, branch };
};

/** What a program or a client without identity has to do with is the specification to the letter. */
const toVocabulary = ({ vocabulary, executor, child }: SessionMeta): SessionFacts['vocabulary'] => {
  if (child?.origin === 'proxy' || executor === SEED_EXECUTOR) return 'codelab';
  return VOCABULARY_CHOICES.find((name) => name === vocabulary) ?? 'codelab';
};

const judged = ({ mode: stored }: SessionMeta): Pick<SessionFacts, 'mode' | 'plans'> => {
  const { mode, plans = false } = judgedMode(stored);
  return { mode, plans };
};

/** The facts of a session, out of its stored record. */
export const toFacts = (
  meta: SessionMeta,
  knowledge: KnownWorkspace = NOTHING_KNOWN,
  serverTools: readonly ServerTool[] = NO_TOOLS,
): SessionFacts => ({
  ...toTools(meta, serverTools),
  sub: meta.ref.owner.sub,
  model: meta.model,
  agent: meta.agent,
  ...judged(meta),
  vocabulary: toVocabulary(meta),
  title: meta.title,
  executor: meta.executor,
  workspace: readWorkspace(meta.workspace),
  knowledge,
  checksFiles: meta.executor !== '' && isAtLeast(meta.protocolVersion, '2.0'),
  capabilitiesOfExecutor: readCapabilities(meta),
  capabilities: new Set(meta.capabilities.split(' ')),
  clientGraceMs: meta.clientGraceMs,
});

/** Lists of tools that are shared, and how long their text may be. */
const MAX_SHARED = 256;
const MAX_SHARED_UNITS = 64 * 1024;
const SHARED = new Map<string, readonly ToolDefinition[]>();

/** The tools of an executor. Executors that declared the same tools have the same list, so that what follows from it is found by it. */
const sharedTools = (meta: SessionMeta): readonly ToolDefinition[] => {
  const { executor, protocolVersion, executorTools } = meta;
  const key = `${executor === SEED_EXECUTOR || executor === '' ? executor : 'client'} ${protocolVersion} ${executorTools}`;
  const tools = SHARED.get(key) ?? readExecutorTools(meta);
  if (SHARED.size >= MAX_SHARED) SHARED.clear();
  if (executorTools.length <= MAX_SHARED_UNITS) SHARED.set(key, tools);
  return tools;
};

/** What a session may call: all that its executor has, or of that what a program asked for, and the program's own. */
const toTools = (meta: SessionMeta, found: readonly ServerTool[]): Pick<SessionFacts, 'tools' | 'serverTools' | 'program' | 'task'> => {
  const tools = sharedTools(meta);
  const { child } = meta;
  const serverTools = beside(tools, found);
  if (child === undefined) return { tools, serverTools };
  if (child.origin === 'task') return { tools, serverTools, task: child };
  return {
    tools: tools.filter(({ name }) => child.executorTools.includes(name)),
    serverTools: ofProgram(child, serverTools, tools),
    program: toProgram(child),
  };
};

/** What a program that began the session through llm-proxy may use beside the tools of the executor. */
export interface ProgramFacts {
  /** `session_id` of the session that it runs in. */
  readonly parent: string;
  /** W3C trace context of the request that began it. */
  readonly traceparent?: string;
  /** Tools that only the program can run: a call of one is handed over to it. */
  readonly callerTools: readonly StepTool[];
  /** Rounds of tools that are run; 0: no count. */
  readonly maxToolRounds: number;
}

const toProgram = ({ parent, callerTools, maxToolRounds, traceparent }: ProgramRecord): ProgramFacts => ({
  ...{ parent, callerTools, maxToolRounds, traceparent },
});

/** By the tools of an executor: lists of the servers without those that are called like one of them. */
const BESIDE = new WeakMap<readonly ToolDefinition[], WeakMap<readonly ServerTool[], readonly ServerTool[]>>();

/** A client that has a tool of its own keeps it, and a tool with the name of one of ours would be judged as that one: neither is offered (H1). */
function beside(executorTools: readonly ToolDefinition[], found: readonly ServerTool[]): readonly ServerTool[] {
  const known = BESIDE.get(executorTools) ?? new WeakMap<readonly ServerTool[], readonly ServerTool[]>();
  BESIDE.set(executorTools, known);
  const taken = new Set(executorTools.map(({ name }) => name));
  const isFree = ({ definition: { name } }: ServerTool): boolean => !isCanonicalTool(name) && !taken.has(name);
  const kept = known.get(found) ?? (found.every(isFree) ? found : found.filter(isFree));
  known.set(found, kept);
  return kept;
}

/** The tools of the servers that a program asked for, as it was shown them; one that was removed since says so when it is called. */
function ofProgram(
  { serverTools }: ProgramRecord,
  found: readonly ServerTool[],
  executorTools: readonly ToolDefinition[],
): readonly ServerTool[] {
  const byName = new Map(found.map((tool) => [tool.definition.name, tool]));
  const wanted = serverTools.map(
    (tool) => byName.get(tool.name) ?? { definition: toDefinition(tool), run: () => Promise.resolve(REMOVED) },
  );
  return beside(executorTools, wanted);
}

const REMOVED = { ok: false, error: { code: 'TOOL_NOT_FOUND', message: 'This tool was removed.' } } as const;

/** It may do anything, whatever it says of itself. */
const toDefinition = ({ name, description, parameters }: StepTool): ToolDefinition => ({
  ...{ name, description, parameters },
  since: '1.0',
  group: 'process',
  access: 'write',
  idempotency: 'unsafe',
  deadlineMs: DEFAULT_DEADLINE_MS,
  source: 'http',
});
