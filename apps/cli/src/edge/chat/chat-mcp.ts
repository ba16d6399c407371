import type { ComposedExecutor, ToolExecutor } from '@codelab/client';
import type { McpServers } from '@codelab/mcp';
import type { Attachment } from '@codelab/protocol';
import type { SessionEvent } from '@codelab/client/view';
import { CommandError } from '../../core/command-error.js';
import { describeServer } from '../../core/mcp/describe-server.js';
import { argumentOf } from '../../core/mcp/follow-argument.js';
import { argumentCandidates, promptCommands, readPromptArguments, type PromptCommand } from '../../core/mcp/prompt-command.js';
import { toPromptMessage, type PromptMessage } from '../../core/mcp/prompt-message.js';
import { problemText, type ServerList } from '../../core/mcp/render-servers.js';
import { sayLogin } from '../../core/mcp/say-login.js';
import { ServerNewsReader } from '../../core/mcp/server-news.js';
import { askHuman, type FormFiller } from '../mcp/answer-elicitation.js';
import type { ConfigPlace, McpConfiguration } from '../mcp/config-files.js';
import { leftOutNote } from '../mcp/left-out-note.js';
import { openBrowser } from '../mcp/open-browser.js';
import { openConfigured, withServers } from '../mcp/open-mcp.js';
import { McpResources } from '../mcp/mcp-resources.js';
import { sampleThroughProxy, type SamplingParts } from '../mcp/sample-model.js';

interface Parts extends Pick<SamplingParts, 'proxy' | 'model'> {
  readonly place: ConfigPlace;
  readonly configuration: McpConfiguration;
  readonly human: FormFiller;
  readonly tell: (event: SessionEvent) => void;
}

/** A server is asked so long for values of an argument. */
const COMPLETE_MS = 2_000;
/** Who waits for the servers waits so long at most. */
const READY_MS = 15_000;

/** The MCP servers of a chat: started beside it, told of when they fail, ended with it. */
export class ChatMcp {
  readonly servers: McpServers;
  readonly resources: McpResources;
  private readonly news = new ServerNewsReader();
  private readonly endListening: () => void;
  /** Resolves when every server is there or has failed, at the latest after a while: a turn that begins without a tool never sees it. */
  started: Promise<void> = Promise.resolve();
  private executor: ComposedExecutor | undefined;
  private toldOfLeftOut = '';
  /** Logins that are waited for, by server. */
  private readonly logins = new Map<string, AbortController>();

  constructor(private readonly parts: Parts) {
    const { place, configuration, human, proxy, model } = parts;
    const samplers = new Set(
      configuration.servers.filter(({ scope, config }) => scope === 'user' && config.sampling === true).map(({ config }) => config.name),
    );
    const open = (url: string): void => void openBrowser(url).then((opened) => !opened && this.say('info', `Open this address: ${url}`));
    this.servers = openConfigured(configuration, place, {
      elicit: askHuman(human, open, (text) => this.say('warning', text)),
      sample: samplers.size === 0 ? undefined : sampleThroughProxy({ proxy, model, human, isAllowed: (server) => samplers.has(server) }),
      openBrowser: async (url, server) =>
        this.say('info', sayLogin({ server, url, opened: await openBrowser(url), stop: `/mcp logout ${server}` })),
    });
    this.resources = new McpResources(this.servers);
    this.endListening = this.servers.onChange(() => this.follow());
  }

  /** Starts the servers, side by side and beside everything else, and makes one executor of theirs and the workspace's. */
  join(workspace: ToolExecutor, watch: (run: ToolExecutor['run']) => ToolExecutor['run']): ToolExecutor {
    const { place, configuration } = this.parts;
    for (const problem of configuration.problems) this.say('warning', problemText(problem));
    for (const note of configuration.notes) this.say('warning', note);
    for (const { path, refused } of configuration.waiting)
      if (!refused) this.say('info', `The MCP servers of ${path} are off until you approve them: codelab mcp approve`);
    const late = new Promise<void>((resolve) => setTimeout(resolve, READY_MS).unref());
    this.started = Promise.race([this.servers.start(), late]);
    this.executor = withServers(workspace, this.servers, { dataDir: place.dataDir, watch, onProblem: (text) => this.say('warning', text) });
    return this.executor;
  }

  /** What `/mcp` shows. */
  list(): ServerList {
    const { servers, problems, notes, waiting } = this.parts.configuration;
    const off = waiting.map(({ path }) => `${path} of this folder is not approved, so its servers are off: codelab mcp approve`);
    const left = leftOutNote(this.executor?.leftOut ?? []);
    return {
      problems,
      notes: [...notes, ...off, ...(left === undefined ? [] : [left])],
      servers: this.servers.servers().flatMap((state) => {
        const named = servers.find(({ config }) => config.name === state.name);
        return named === undefined ? [] : [{ state, file: named.file, what: describeServer(named.config) }];
      }),
    };
  }

  /** Does something about one server, for this conversation; resolves with what to say. */
  async act(action: 'reconnect' | 'login' | 'logout' | 'disable' | 'enable', name: string): Promise<string> {
    this.logins.get(name)?.abort(); // whatever is done about a server, nobody waits for the login from before
    if (action === 'disable') {
      await this.servers.disable(name);
      return `The MCP server ${name} is off in this chat: /mcp enable ${name} starts it again.`;
    }
    if (action === 'login') await this.logIn(name);
    else if (action === 'logout') await this.servers.logout(name);
    else await this.servers.reconnect(name);
    const state = this.servers.servers().find((server) => server.name === name);
    const says = state?.status.kind === 'ready' ? `ready, with ${state.tools} tools` : (state?.status.kind ?? 'unknown');
    return `The MCP server ${name} is ${says.replace('_', ' ')}.`;
  }

  private async logIn(name: string): Promise<void> {
    const waiting = new AbortController();
    this.logins.set(name, waiting);
    try {
      await this.servers.login(name, { signal: waiting.signal });
    } finally {
      if (this.logins.get(name) === waiting) this.logins.delete(name);
    }
  }

  /** The prompts of the servers that are there, as commands. */
  prompts(): readonly PromptCommand[] {
    return promptCommands(this.servers.prompts());
  }

  /** What the argument at the end of a line with the command of a prompt can become. */
  async completeArgument(line: string, signal: AbortSignal): Promise<readonly string[]> {
    const found = argumentOf(line, this.prompts());
    if (found === undefined) return [];
    const { prompt } = found.command;
    const { name, value, given } = found.open;
    if (name === undefined) return [];
    const completion = { ref: { type: 'ref/prompt', name: prompt.name }, argument: { name, value }, context: given } as const;
    const options = { timeoutMs: COMPLETE_MS, signal };
    const { values } = await this.servers.complete(prompt.server, completion, options).catch(() => ({ values: [] })); // it completes nothing
    return argumentCandidates(found.open, values);
  }

  /** The message of a prompt. Throws `CommandError`. */
  async message({ prompt, name }: PromptCommand, text: string): Promise<PromptMessage> {
    const given = readPromptArguments(prompt, text);
    if (typeof given === 'string') throw new CommandError(`/${name}: ${given}`);
    const answer = await this.servers.getPrompt(prompt.server, prompt.name, given);
    const message = toPromptMessage(prompt.server, answer);
    if (message.text.trim() === '') throw new CommandError(`/${name} gave no text.`);
    return message;
  }

  /** What a message mentions of servers. Throws `CommandError`. */
  attachments(content: string): Promise<readonly Attachment[]> {
    return this.resources.attachments(content);
  }

  /** Ends every connection and every program. */
  async close(): Promise<void> {
    this.endListening();
    await this.servers.close();
  }

  private follow(): void {
    for (const { tone, text } of this.news.read(this.servers.servers(), Date.now())) this.say(tone, text);
    const note = leftOutNote(this.executor?.leftOut ?? []) ?? '';
    if (note !== '' && note !== this.toldOfLeftOut) this.say('warning', note);
    this.toldOfLeftOut = note;
  }

  private say(tone: 'info' | 'warning', text: string): void {
    this.parts.tell({ kind: 'notice', tone, text, atMs: Date.now() });
  }
}
