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
export const toFacts = (meta: SessionMeta, knowledge: KnownWorkspace = NOTHING_KNOWN): SessionFacts => ({
  ...toTools(meta),
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
const toTools = (meta: SessionMeta): Pick<SessionFacts, 'tools' | 'program' | 'task'> => {
  const tools = sharedTools(meta);
  const { child } = meta;
  if (child === undefined) return { tools };
  if (child.origin === 'task') return { tools, task: child };
  return { tools: tools.filter(({ name }) => child.executorTools.includes(name)), program: toProgram(child, tools) };
};

/** What a program that began the session through llm-proxy may use beside the tools of the executor. */
export interface ProgramFacts {
  /** `session_id` of the session that it runs in. */
  readonly parent: string;
  /** W3C trace context of the request that began it. */
  readonly traceparent?: string;
  /** Tools that only the program can run: a call of one is handed over to it. */
  readonly callerTools: readonly StepTool[];
  /** Tools that llm-proxy runs. */
  readonly serverTools: readonly ToolDefinition[];
  /** Rounds of tools that are run; 0: no count. */
  readonly maxToolRounds: number;
}

/**
 * The facts of a child. A tool of llm-proxy that has the name of a tool here, or of one of the executor, would be judged as that one, so it
 * is not offered (H1).
 */
function toProgram(child: ProgramRecord, executorTools: readonly ToolDefinition[]): ProgramFacts {
  const { parent, callerTools, serverTools, maxToolRounds, traceparent } = child;
  const taken = new Set(executorTools.map(({ name }) => name));
  return {
    ...{ parent, callerTools, maxToolRounds, traceparent },
    serverTools: serverTools.filter(({ name }) => !isCanonicalTool(name) && !taken.has(name)).map(toDefinition),
  };
}

/** It may do anything, whatever it says of itself. */
const toDefinition = ({ name, description, parameters }: StepTool): ToolDefinition => ({
  ...{ name, description, parameters },
  since: '1.0',
  group: 'process',
  access: 'write',
  idempotency: 'unsafe',
  deadlineMs: DEFAULT_DEADLINE_MS,
});
