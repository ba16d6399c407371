import type { AvailableCommand } from '@agentclientprotocol/sdk';
import type { CodeLabClient, MessageOptions } from '@codelab/client';
import type { SessionView } from '@codelab/client/view';
import type { Attachment } from '@codelab/protocol';
import type { Workspace } from '@codelab/workspace';
import { BUILT_IN, type BuiltIn } from '../../core/acp/built-in-commands.js';
import { readCommand } from '../../core/commands/commands.js';
import type { CustomCommand } from '../../core/commands/custom-command.js';
import { initMessage } from '../../core/commands/init.js';
import type { ChatMcp } from '../chat/chat-mcp.js';
import { showContext } from '../chat/commands/context.js';
import { showCost } from '../chat/commands/cost.js';
import { undoTurn } from '../chat/commands/undo.js';
import { CustomCommands } from '../chat/custom-commands.js';
import { followAgent } from '../chat/follow-agent.js';
import { PromptError } from './acp-errors.js';
import type { AcpPlace } from './acp-place.js';
import type { Editor } from './editor.js';

interface Ports {
  readonly place: AcpPlace;
  readonly editor: Editor;
  readonly workspace: Workspace;
  readonly mcp: ChatMcp;
  readonly client: CodeLabClient;
  readonly view: () => SessionView;
}

/** What a prompt is: answered already, or a message. */
export type PromptStep =
  | { readonly kind: 'answered' }
  | {
      readonly kind: 'message';
      readonly text: string;
      /** The part that may mention files, where it is not all of the text. */
      readonly mentions?: string;
      readonly attachments?: readonly Attachment[];
      readonly model?: string | undefined;
      readonly command?: MessageOptions['command'];
    };

/** What can be entered with a slash: commands of ours, those that people wrote, and the prompts of MCP servers. */
export class SessionCommands {
  private readonly customs: CustomCommands;
  private readonly local: Readonly<Record<Extract<BuiltIn, 'undo' | 'context' | 'cost'>, (text: string) => Promise<void>>>;
  /** What was offered last. */
  private offered = '';

  constructor(private readonly ports: Ports) {
    const { place, workspace, client, view } = ports;
    this.customs = new CustomCommands(workspace.facts, place.configDir);
    const chat = {
      ...{ place, say: (text: string) => this.say(text) },
      console: {
        get state() {
          return { view: view() };
        },
      },
      connected: () => Promise.resolve({ client, workspace }),
    };
    this.local = { undo: undoTurn(chat), context: showContext(chat), cost: showCost(chat) };
  }

  /** Tells the editor what can be entered, if that is news. */
  async offer(): Promise<void> {
    const own = await this.customs.list().catch(() => []); // files that can't be read list nothing
    const commands = [...BUILT_IN.map(toAvailable), ...[...own, ...this.promptsBeside(own)].map(toAvailable)];
    const text = JSON.stringify(commands);
    if (text === this.offered) return;
    this.offered = text;
    this.ports.editor.update({ sessionUpdate: 'available_commands_update', availableCommands: commands });
  }

  /** Reads a prompt: one that is no command is a message as it is. Throws `CommandError`, `PromptError`. */
  async read(text: string): Promise<PromptStep> {
    const command = readCommand(text);
    if (command === undefined) return { kind: 'message', text };
    const { name, text: args } = command;
    if (name === 'undo' || name === 'context' || name === 'cost') {
      await this.local[name](args);
      return { kind: 'answered' };
    }
    if (name === 'init') return { kind: 'message', text: initMessage(args), mentions: args };
    if (name === 'compact') return { kind: 'message', text: `/compact ${args}`.trim(), mentions: '', command: 'compact' };
    if (name === 'clear') return { kind: 'message', text: '/clear', mentions: '', command: 'clear' };
    return this.readCustom(name, args);
  }

  private async readCustom(name: string, args: string): Promise<PromptStep> {
    const { mcp, client, place } = this.ports;
    const own = await this.customs.list();
    const prompt = this.promptsBeside(own).find((one) => one.name === name);
    if (prompt !== undefined) {
      const { text, attachments } = await mcp.message(prompt, args);
      return { kind: 'message', text, attachments, mentions: args };
    }
    if (!own.some((one) => one.name === name))
      throw new PromptError(`There is no command /${name}. To send it as a message, put a space before it.`);
    const { agent, model, text, scope } = await this.customs.read(name, args);
    if (agent !== undefined) await followAgent({ client, gateway: place.gateway }, name, { agent, scope, text });
    return { kind: 'message', text, model };
  }

  private promptsBeside(own: readonly CustomCommand[]): ReturnType<ChatMcp['prompts']> {
    return this.ports.mcp.prompts().filter(({ name }) => !own.some((one) => one.name === name));
  }

  private say(text: string): void {
    this.ports.editor.update({ sessionUpdate: 'agent_message_chunk', content: { type: 'text', text } });
  }
}

const toAvailable = ({ name, description, hint }: Pick<CustomCommand, 'name' | 'description' | 'hint'>): AvailableCommand => ({
  name,
  description: description === '' ? name : description,
  input: hint === undefined ? undefined : { hint },
});
