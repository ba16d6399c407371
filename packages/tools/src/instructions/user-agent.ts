import type { InstructionFile } from '@codelab/protocol';
import { readFrontMatter } from '../rules-files/parse-rule-file.js';
import { isAgent, type AgentName } from '../policy/agents.js';

/**
 * An agent that people describe in a file: front matter, then what it is told. It can only narrow: its tools are some of those of the session,
 * and its calls are judged as those of the mode that it is based on, or more strictly.
 */
export interface UserAgent extends Pick<InstructionFile, 'path' | 'scope'> {
  readonly name: string;
  readonly description?: string;
  /** Names of tools, canonical or of a vocabulary; absent: all of its mode. */
  readonly tools?: readonly string[];
  readonly model?: string;
  /** `read_only`: its calls are judged as those of the agent `ask`. `ask`: whatever would run unasked is asked about. Absent: as the coder's. */
  readonly policy?: 'read_only' | 'ask';
  /** What it is told of its task. */
  readonly prompt: string;
}

const NAME = /^[a-z0-9][a-z0-9_-]{0,63}$/;
const MAX_TOOLS = 64;
const MAX_DESCRIPTION = 300;
const MAX_MODEL = 256;

/** Whether a file can describe an agent of this name: a mode has its name for itself. */
export const isUserAgentName = (name: string): boolean => NAME.test(name) && !isAgent(name);

const textOf = (value: unknown): string | undefined => (typeof value === 'string' && value.trim() !== '' ? value.trim() : undefined);

const namesOf = (value: unknown): readonly string[] | undefined => {
  const names = typeof value === 'string' ? value.split(',') : Array.isArray(value) ? value : undefined;
  return names?.flatMap((name) => textOf(name) ?? []).slice(0, MAX_TOOLS);
};

/** A policy that is not known narrows as much as there is: whoever wrote one wanted less than all. */
const policyOf = (value: unknown): UserAgent['policy'] => {
  if (value === undefined || value === null) return undefined;
  return value === 'ask' ? 'ask' : 'read_only';
};

/** Reads the file of an agent. Nothing for one without a usable name, with that of a mode, or without text: it is no agent. */
export function readUserAgent({ path, scope, content, omitted }: InstructionFile): UserAgent | undefined {
  if (content === undefined || omitted === 'cut') return undefined; // half a prompt could say the contrary of the whole
  const { fields, body } = readFrontMatter(content);
  const file = path.slice(path.lastIndexOf('/') + 1).replace(/\.mdc?$/i, '');
  const name = (textOf(fields['name']) ?? file).toLowerCase();
  if (!isUserAgentName(name) || body.trim() === '') return undefined;
  return {
    ...{ path, scope, name },
    description: textOf(fields['description'])?.slice(0, MAX_DESCRIPTION),
    tools: namesOf(fields['tools']),
    model: textOf(fields['model'])?.slice(0, MAX_MODEL),
    policy: policyOf(fields['policy']),
    prompt: body.trim(),
  };
}

/**
 * The agent of this name: the workspace's own before the person's, within the limits of the person's, for a workspace takes none away (H1). A mode
 * has its name for itself.
 */
export function findUserAgent(agents: readonly UserAgent[], name: string): UserAgent | undefined {
  const named = agents.filter((agent) => agent.name === name);
  const ofWorkspace = named.find(({ scope }) => scope === 'workspace');
  const ofPerson = named.find(({ scope }) => scope === 'user');
  return ofWorkspace && ofPerson ? narrow(ofWorkspace, ofPerson) : (ofWorkspace ?? named[0]);
}

const narrow = (agent: UserAgent, { tools, policy }: UserAgent): UserAgent => ({
  ...agent,
  tools: tools === undefined || agent.tools === undefined ? (agent.tools ?? tools) : agent.tools.filter((name) => tools.includes(name)),
  policy: [agent.policy, policy].includes('read_only') ? 'read_only' : (policy ?? agent.policy),
});

/** The mode by whose limits the calls of an agent are judged. */
export const modeOfAgent = ({ policy }: Pick<UserAgent, 'policy'>): AgentName => (policy === 'read_only' ? 'ask' : 'coder');
