import { hash } from 'node:crypto';
import type { StepPrompt, StepTool, StoredPrompt } from '@codelab/bus';
import {
  codelabVocabulary,
  findTool,
  isCanonicalTool,
  PLAN_TOOL,
  readMcpToolName,
  type ToolDefinition,
  VOCABULARY_NAMES,
  type VocabularyName,
} from '@codelab/tools';
import { findRow, findVocabulary, isOffered, type Row, tellIndex, tellMissingKernel } from '@codelab/vocabularies';
import type { SessionFacts } from '../session/session-facts.js';
import type { Turn } from '../turn/turn-state.js';
import { systemPrompt } from '../prompt/system-prompt.js';
import { CANONICAL_ETIQUETTE } from '../prompt/texts.js';
import type { KnownWorkspace, Told } from '../prompt/told.js';
import { mayGiveTasks } from '../tasks/task-tool.js';
import { mayPlan, planToolName } from '../plans/plan-mode.js';
import { type Agent, type AgentMode, findAgent } from './agent-modes.js';
import { hasOf, isFromOutside, type OfferedTool } from './who-runs.js';

/** What a model may call: a tool, or a row of its vocabulary, which calls tools. */
export type Offered = OfferedTool | { readonly by: 'row'; readonly row: Row };

/** Whom an offer is made to. */
export type Asking = Pick<Turn, 'agent' | 'vocabulary' | 'handedBy'>;

/** What a model is offered in one agent mode and one vocabulary. */
interface Offer {
  /** The tools of the executor that the mode lets through. */
  readonly tools: readonly ToolDefinition[];
  /** All that the model may call, by the name that it is shown. */
  readonly shown: ReadonlyMap<string, Offered>;
  /** What requests repeat, by what is known of the workspace, and by what the session began with beside it. */
  readonly prompts: WeakMap<KnownWorkspace, Map<string, StoredPrompt>>;
}

/** Offers that are kept for the sessions with the same tools. */
const MAX_OFFERS = 64;

/** Prompts that one offer keeps for sessions of which the same is known. */
const MAX_PROMPTS = 64;

/** Offers by the tools of a session: sessions of like clients share theirs, so that each offer is worked out once (`toFacts`). */
const OFFERS = new WeakMap<SessionFacts['tools'], WeakMap<SessionFacts['serverTools'], Map<string, Offer>>>();

const offersOf = ({ tools, serverTools }: SessionFacts): Map<string, Offer> => {
  const byServer = OFFERS.get(tools) ?? new WeakMap<SessionFacts['serverTools'], Map<string, Offer>>();
  OFFERS.set(tools, byServer);
  const offers = byServer.get(serverTools) ?? new Map<string, Offer>();
  byServer.set(serverTools, offers);
  return offers;
};

const offerOf = (facts: SessionFacts, { agent, vocabulary, handedBy = [] }: Asking): Offer => {
  const reads = facts.plans ? ['ask'] : [];
  const agents = [agent, ...(facts.task?.within ?? []), ...handedBy, ...reads].map((name) => findAgent(facts, name));
  const key = JSON.stringify([
    vocabulary,
    mayGiveTasks(facts),
    mayPlan(facts),
    ...agents.map(({ name, title, own }) => [name, title, own?.tools]),
  ]);
  const offers = offersOf(facts);
  if (offers.size >= MAX_OFFERS) offers.clear();
  const offer = offers.get(key) ?? toOffer(facts, { filter: toFilter(agents), vocabulary, has: offeredTo(facts, agent) });
  offers.set(key, offer);
  return offer;
};

/** What an offer is worked out from beside the facts. */
interface Offering {
  readonly filter: Filter;
  readonly vocabulary: VocabularyName;
  readonly has: (name: string) => boolean;
}

/** What rows may need: what the session has, and for its orchestrator that it can hand the turn over. */
const offeredTo =
  (facts: SessionFacts, agent: string): ((name: string) => boolean) =>
  (name) =>
    name === 'switch_agent' ? agent === 'orchestrator' && mayGiveTasks(facts) : hasOf(facts)(name);

/** What an agent, and those that it works for, may be shown. */
interface Filter {
  readonly allows: AgentMode['allows'];
  /** Whether a tool is among those that the agents list, by any of its names. */
  readonly names: (...names: readonly string[]) => boolean;
}

const toFilter = (agents: readonly Agent[]): Filter => {
  const lists = agents.flatMap(({ own }) => (own?.tools === undefined ? [] : [withCanonical(own.tools)]));
  return {
    allows: (tool) => agents.every((agent) => agent.allows(tool)),
    names: (...names) => lists.every((list) => names.some((name) => list.has(name))),
  };
};

/** Names of tools, and the canonical ones of those that are a vocabulary's. */
const withCanonical = (names: readonly string[]): ReadonlySet<string> =>
  new Set(names.flatMap((name) => [name, ...VOCABULARY_NAMES.flatMap((vocabulary) => findRow(vocabulary, name)?.stands ?? [])]));

/** Of two tools with one name the executor's counts, and the caller's last. */
const toOffer = (facts: SessionFacts, { filter, vocabulary, has }: Offering): Offer => {
  const { tools, program } = facts;
  const offered = tools.filter((tool) => filter.allows(tool) && filter.names(tool.name, codelabVocabulary.toModelName(tool.name)));
  const shown = new Map<string, Offered>();
  const show = (name: string, one: Offered): void => void (shown.has(name) || shown.set(name, one));
  if (mayPlan(facts)) show(planToolName(vocabulary), { by: 'server', tool: PLAN_TOOL });
  const table = findVocabulary(vocabulary);
  for (const row of table?.rows ?? []) if (isOffered(row, { has }) && allowsRow(filter, row)) show(row.name, { by: 'row', row });
  const own = table === undefined ? offered : offered.filter(({ name }) => !isCanonicalTool(name));
  for (const tool of own) show(codelabVocabulary.toModelName(tool.name), { by: 'executor', tool });
  for (const { definition: tool } of facts.serverTools) {
    if (isFromOutside(tool) && filter.allows(tool) && filter.names(tool.name)) show(serverToolName(tool), { by: 'server', tool });
  }
  for (const tool of program?.callerTools ?? []) show(tool.name, { by: 'caller', tool });
  return { tools: own, shown, prompts: new WeakMap() };
};

/** A row is offered to an agent that may call what it stands for; one that also changes things where the agent only reads is judged call by call. */
const allowsRow = (filter: Filter, row: Row): boolean => {
  const stands = findTool(row.stands);
  if (!filter.names(row.name, row.stands)) return false;
  return stands === undefined || filter.allows(row.readonly || row.reads === true ? { ...stands, access: 'readonly' } : stands);
};

/** What a model calls a tool of the servers: names fit every provider as they are, but for those that an MCP server gave. */
const serverToolName = ({ name, source }: ToolDefinition): string =>
  source === 'mcp' && readMcpToolName(name) !== undefined ? codelabVocabulary.toModelName(name) : name;

/** The canonical name of what a model calls; nothing for a name that none has. */
export const canonicalName = ({ vocabulary }: Asking, name: string): string | undefined =>
  findRow(vocabulary, name)?.stands ?? codelabVocabulary.toCanonical(name);

/** The names under which a model is shown its tools. */
export const shownNames = (facts: SessionFacts, asking: Asking): readonly string[] => [...offerOf(facts, asking).shown.keys()];

/**
 * What every request of a turn repeats. A tool of the program goes as it came, with whatever else its definition says.
 * @param told what the session began with; a program says everything itself, so there it is absent
 */
export function promptOf(facts: SessionFacts, asking: Asking, told: Told | undefined): StoredPrompt {
  const { shown, prompts } = offerOf(facts, asking);
  const known = prompts.get(facts.knowledge) ?? new Map<string, StoredPrompt>();
  prompts.set(facts.knowledge, known);
  const key = told === undefined ? '' : `${told.family} ${told.date} ${told.place}`;
  const found = known.get(key);
  if (found !== undefined) return found;
  const write = (): string => {
    const has = hasOf(facts);
    const tools = Array.from(shown, (one) => toStepTool(one, has));
    const system = told === undefined ? '' : toSystem(facts, asking, told);
    return JSON.stringify({ system, tools, version: told?.version } satisfies StepPrompt);
  };
  const prompt = new WrittenPrompt(write);
  if (known.size >= MAX_PROMPTS) known.clear();
  known.set(key, prompt);
  return prompt;
}

/** A prompt by its hash. Its text is written again where it is stored: it is as long as the instructions of a project, and each session has its own. */
class WrittenPrompt implements StoredPrompt {
  readonly hash: string;

  constructor(private readonly write: () => string) {
    this.hash = hash('sha256', write());
  }

  get text(): string {
    return this.write();
  }
}

const toSystem = (facts: SessionFacts, asking: Asking, { family, date, place }: Told): string => {
  const { name: agent, own } = findAgent(facts, asking.agent);
  return systemPrompt({
    ...{ agent, own, family, date, place, knowledge: facts.knowledge.first, plans: mayPlan(facts) },
    etiquette: [
      ...(findVocabulary(asking.vocabulary)?.etiquette ?? CANONICAL_ETIQUETTE),
      ...tellIndex(asking.vocabulary, hasOf(facts)),
      ...tellMissingKernel(asking.vocabulary, hasOf(facts), facts.knowledge.first.environment?.tree),
    ],
    hasTools: facts.tools.length > 0,
  });
};

const toStepTool = ([name, offered]: readonly [string, Offered], has: (name: string) => boolean): StepTool => {
  if (offered.by === 'caller') return offered.tool;
  if (offered.by === 'row') {
    const { description, parameters, vendor, without } = offered.row;
    if (without !== undefined && !has(without.capability)) return { name, description: without.description, parameters };
    return { name, description, parameters, vendor: vendor?.({ maxCharacters: MAX_VIEW_CHARACTERS, enabled: [] }) };
  }
  const { description, parameters } = offered.tool;
  return { name, description, parameters };
};

/** Characters of one view in `text-editor`. */
export const MAX_VIEW_CHARACTERS = 60_000;

/**
 * What a model means: what it was shown under this name, before any alias of a row, and any of the executor's tools that is merely called so.
 * Names too long to read back are found by what they were made of.
 */
export function findOffered(facts: SessionFacts, asking: Asking, modelName: string): Offered | undefined {
  const { shown, tools } = offerOf(facts, asking);
  const alias = findRow(asking.vocabulary, modelName);
  const known = shown.get(modelName) ?? (alias && shown.get(alias.name));
  if (known !== undefined) return known;
  const canonical = codelabVocabulary.toCanonical(modelName);
  const tool = tools.find(({ name }) => name === canonical || name === modelName);
  return tool && { by: 'executor', tool };
}
