import { hash } from 'node:crypto';
import type { StepPrompt, StepTool, StoredPrompt } from '@codelab/bus';
import type { ToolDefinition } from '@codelab/tools';
import type { SessionFacts } from '../session/session-facts.js';
import { type AgentMode, findMode, placeOf, systemPrompt } from './agent-modes.js';

/** A tool that a model may call, by whoever runs it. */
export type Offered =
  | { readonly by: 'executor' | 'server'; readonly tool: ToolDefinition }
  /** Of the program that began the session: its definition means nothing here. */
  | { readonly by: 'caller'; readonly tool: StepTool };

/** What a model is offered in one agent mode. */
interface Offer {
  /** The tools of the executor that the mode lets through. */
  readonly tools: readonly ToolDefinition[];
  /** All that the model may call, by the name that it is shown. */
  readonly shown: ReadonlyMap<string, Offered>;
  /** What requests repeat, by what it says of the workspace. */
  readonly prompts: Map<string, StoredPrompt>;
}

/** Prompts that one offer keeps. */
const MAX_PROMPTS = 64;

/** Offers by the tools of a session: sessions of like clients share theirs, so that each offer is worked out once (`toFacts`). */
const OFFERS = new WeakMap<SessionFacts['tools'], Map<AgentMode, Offer>>();

const offerOf = (facts: SessionFacts, agent: string): Offer => {
  const mode = findMode(agent);
  const offers = OFFERS.get(facts.tools) ?? new Map<AgentMode, Offer>();
  OFFERS.set(facts.tools, offers);
  const offer = offers.get(mode) ?? toOffer(facts, mode);
  offers.set(mode, offer);
  return offer;
};

/** Of two tools with one name the executor's counts, and the caller's last. */
const toOffer = ({ tools, vocabulary, program }: SessionFacts, { allows }: AgentMode): Offer => {
  const offered = tools.filter(allows);
  const shown = new Map<string, Offered>();
  const show = (name: string, one: Offered): void => void (shown.has(name) || shown.set(name, one));
  for (const tool of offered) show(vocabulary.toModelName(tool.name), { by: 'executor', tool });
  for (const tool of program?.serverTools.filter(allows) ?? []) show(tool.name, { by: 'server', tool });
  for (const tool of program?.callerTools ?? []) show(tool.name, { by: 'caller', tool });
  return { tools: offered, shown, prompts: new Map() };
};

/** The names under which a model is shown its tools. */
export const shownNames = (facts: SessionFacts, agent: string): readonly string[] => [...offerOf(facts, agent).shown.keys()];

/** What every request of a turn repeats. A tool of the program goes as it came, with whatever else its definition says. */
export function promptOf(facts: SessionFacts, agent: string): StoredPrompt {
  const { shown, prompts } = offerOf(facts, agent);
  const place = placeOf(facts);
  const known = prompts.get(place);
  if (known !== undefined) return known;
  const system = facts.program === undefined ? systemPrompt(findMode(agent), facts) : '';
  const tools = Array.from(shown, ([name, { by, tool }]): StepTool => {
    const { description, parameters } = tool;
    return by === 'caller' ? tool : { name, description, parameters };
  });
  const text = JSON.stringify({ system, tools } satisfies StepPrompt);
  const prompt = { hash: hash('sha256', text), text };
  if (prompts.size >= MAX_PROMPTS) prompts.clear();
  prompts.set(place, prompt);
  return prompt;
}

/**
 * The offered tool that a model means: the one that it was shown under this name, before any of the executor's that is merely called so. Names
 * too long to read back are found by what they were made of.
 */
export function findOffered(facts: SessionFacts, agent: string, modelName: string): Offered | undefined {
  const { shown, tools } = offerOf(facts, agent);
  const known = shown.get(modelName);
  if (known !== undefined) return known;
  const canonical = facts.vocabulary.toCanonical(modelName);
  const tool = tools.find(({ name }) => name === canonical || name === modelName);
  return tool && { by: 'executor', tool };
}
