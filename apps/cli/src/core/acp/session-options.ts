import type { SessionConfigOption, SessionModeState } from '@agentclientprotocol/sdk';
import { AGENTS } from '@codelab/tools';
import type { ModelSummary } from '../models/model-entries.js';
import { describeMode, PERMISSION_MODES, type PermissionMode } from '@codelab/client/view';

/** What a session is set to, and what it can be set to. */
export interface SessionOptions {
  readonly mode: PermissionMode;
  /** The model of the messages to come; undefined: what the services are set to. */
  readonly model: string | undefined;
  readonly agent: string;
  readonly models: readonly ModelSummary[];
  readonly agents: readonly AgentSummary[];
}

/** An agent that can be named in a session. */
export interface AgentSummary {
  readonly name: string;
  readonly description?: string;
}

/** The settings of a session by their ids. */
export const OPTION_IDS = ['mode', 'model', 'agent'] as const;
export type OptionId = (typeof OPTION_IDS)[number];
export const isOptionId = (id: string): id is OptionId => (OPTION_IDS as readonly string[]).includes(id);

/** Stands for the model that the services are set to, where nobody has chosen another. */
export const USUAL_MODEL = 'default';

/** How much is asked, as the modes of the protocol. */
export const toModes = ({ mode }: Pick<SessionOptions, 'mode'>): SessionModeState => ({
  currentModeId: mode,
  availableModes: PERMISSION_MODES.map((id) => ({ id, name: titleOf(id), description: describeMode(id) })),
});

/** All that can be chosen of a session. */
export const toConfigOptions = ({ mode, model, agent, models, agents }: SessionOptions): SessionConfigOption[] => [
  {
    ...{ type: 'select', id: 'mode' satisfies OptionId, category: 'mode', name: 'Permission mode' },
    ...{ description: 'How much is asked.', currentValue: mode },
    options: toModes({ mode }).availableModes.map(({ id, name, description }) => ({ value: id, name, description })),
  },
  {
    ...{ type: 'select', id: 'model' satisfies OptionId, category: 'model', name: 'Model', currentValue: model ?? USUAL_MODEL },
    options: [
      ...(model === undefined ? [{ value: USUAL_MODEL, name: 'Default', description: 'What the services are set to.' }] : []),
      ...withCurrent(
        models.map(({ id, displayName, upstream }) => ({ value: id, name: displayName ?? id, description: upstream })),
        model,
      ),
    ],
  },
  {
    ...{
      type: 'select',
      id: 'agent' satisfies OptionId,
      category: '_agent',
      name: 'Agent',
      description: 'Who works.',
      currentValue: agent,
    },
    options: withCurrent(
      agents.map(({ name, description }) => ({ value: name, name, description })),
      agent,
    ),
  },
];

interface Option {
  readonly value: string;
  readonly name: string;
  readonly description?: string | undefined;
}

/** What is chosen is always among what can be. */
const withCurrent = (options: readonly Option[], current: string | undefined): Option[] =>
  current === undefined || options.some(({ value }) => value === current) ? [...options] : [{ value: current, name: current }, ...options];

/** The agents that every session has. */
export const OWN_AGENTS: readonly AgentSummary[] = AGENTS.map(({ name }) => ({ name }));

/** Reads what REST lists; what can't be read is left out. */
export const readAgents = (listed: readonly unknown[]): readonly AgentSummary[] =>
  listed.flatMap((agent) => {
    const { name, description } = (agent ?? {}) as Readonly<Record<string, unknown>>;
    return typeof name === 'string' ? [{ name, description: typeof description === 'string' ? description : undefined }] : [];
  });

const TITLES: Readonly<Record<PermissionMode, string>> = { strict: 'Strict', ask: 'Ask', 'accept-edits': 'Accept edits', plan: 'Plan' };
const titleOf = (mode: PermissionMode): string => TITLES[mode];

/** The mode of this name; undefined for none. */
export const findMode = (name: string): PermissionMode | undefined => PERMISSION_MODES.find((mode) => mode === name);
