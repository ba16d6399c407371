import type { SessionConfigOption } from '@agentclientprotocol/sdk';
import type { CodeLabClient } from '@codelab/client';
import { modeNamed, modeNameOf, PERMISSION_MODES, type SessionView } from '@codelab/client/view';
import {
  findMode,
  OWN_AGENTS,
  readAgents,
  toConfigOptions,
  USUAL_MODEL,
  type AgentSummary,
  type OptionId,
  type SessionOptions,
} from '../../core/acp/session-options.js';
import type { ModelSummary } from '../../core/models/model-entries.js';
import { readModels } from '../models/read-models.js';
import { SessionApi } from '../sessions/session-api.js';
import { usualChoices } from '../user-config/read-settings.js';
import { PromptError } from './acp-errors.js';
import type { AcpPlace } from './acp-place.js';
import type { Editor } from './editor.js';
import type { SessionTeller } from './session-teller.js';

interface Ports {
  readonly place: AcpPlace;
  readonly editor: Editor;
  readonly client: () => CodeLabClient;
  readonly teller: SessionTeller;
}

/** What a session is set to: how much is asked, which model, which agent. The editor hears of what others set. */
export class SessionSettings {
  private models: readonly ModelSummary[] = [];
  private agents: readonly AgentSummary[] = OWN_AGENTS;
  private chosen: string | undefined;
  /** What the editor knows. */
  private known = '';

  constructor(private readonly ports: Ports) {}

  /** The model of the messages to come, where somebody chose one here. */
  get chosenModel(): string | undefined {
    return this.chosen;
  }

  get options(): SessionOptions {
    const { view } = this.ports.teller;
    const { permissionMode } = { ...usualChoices(), ...definedOf(this.ports.place.choices) };
    return {
      mode: view.mode === undefined ? (permissionMode ?? 'ask') : modeNameOf(view.mode),
      model: this.chosen ?? view.model,
      agent: view.agent ?? this.ports.place.choices.agent ?? 'coder',
      models: this.models,
      agents: this.agents,
    };
  }

  get configOptions(): SessionConfigOption[] {
    return toConfigOptions(this.options);
  }

  /** Looks what can be chosen. What isn't told is left out: what is set stays to be seen. */
  async read(): Promise<void> {
    const { gateway } = this.ports.place;
    const [models, agents] = await Promise.all([
      readModels(gateway).catch(() => []),
      new SessionApi(gateway).agents(this.ports.client().sessionId).then(readAgents, () => []),
    ]);
    this.models = models;
    if (agents.length > 0) this.agents = agents;
    this.known = JSON.stringify(this.configOptions);
  }

  /** Sets one of them. Throws where there is no such thing, or the servers refuse it. */
  async set(id: OptionId, value: string): Promise<void> {
    const { place, client, teller } = this.ports;
    if (id === 'mode') {
      const mode = findMode(value);
      if (mode === undefined)
        throw new PromptError(`There is no mode ${JSON.stringify(value)}: take one of ${PERMISSION_MODES.join(', ')}.`);
      await new SessionApi(place.gateway).setMode(client().sessionId, modeNamed(mode));
      this.quietly(() => teller.tell({ kind: 'chose', mode: modeNamed(mode), atMs: Date.now() }));
    } else if (id === 'agent') {
      await client().switchAgent(value);
      this.quietly(() => teller.tell({ kind: 'chose', agent: value, atMs: Date.now() }));
    } else {
      this.chosen = value === USUAL_MODEL ? undefined : value;
      this.known = JSON.stringify(this.configOptions);
    }
  }

  /** Tells the editor what others have set. */
  follow(view: SessionView, before: SessionView): void {
    if (view.mode === before.mode && view.agent === before.agent && view.model === before.model) return;
    const { configOptions } = this;
    const text = JSON.stringify(configOptions);
    if (this.known === '' || text === this.known) return;
    this.known = text;
    if (view.mode !== before.mode) this.ports.editor.update({ sessionUpdate: 'current_mode_update', currentModeId: this.options.mode });
    this.ports.editor.update({ sessionUpdate: 'config_option_update', configOptions });
  }

  /** Changes what the editor itself has set, and gets told in the answer. */
  private quietly(change: () => void): void {
    const { known } = this;
    this.known = '';
    change();
    this.known = known === '' ? '' : JSON.stringify(this.configOptions);
  }
}

const definedOf = <T extends object>(fields: T): Partial<T> =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as Partial<T>;
