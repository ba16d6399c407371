import type { Clock } from '@codelab/clock';
import type { CallToolResult, CompleteResult, GetPromptResult, ReadResourceResult, RequestOptions } from '@modelcontextprotocol/client';
import type { ServerSession } from '../connection/server-session.js';
import { compileSchema } from '../lists/json-schema.js';
import { boundResult } from '../results/bound-result.js';
import { boundPrompt, boundResource } from '../results/bound-others.js';
import { toCallFailure } from './call-failure.js';
import { McpError } from './mcp-error.js';
import type { McpTool } from './mcp-server-state.js';
import type { CallOptions, Completion } from './mcp-servers.js';
import { ProgressLines } from './progress-lines.js';
import type { ServerLink } from './server-link.js';

const DEFAULT_TIMEOUT_MS = 60_000;

/** With signs of progress a call may take so many times as long. */
const PROGRESS_FACTOR = 10;

/** What may run at one server at a time. */
const MAX_RUNNING = 64;

/** Arguments, in characters of JSON. */
const MAX_ARGUMENTS = 4 * 1024 * 1024;

const MAX_COMPLETIONS = 100;

/** The calls of one server: each goes out once, and again only where it never arrived. */
export class ServerCalls {
  private readonly running = new Set<ProgressLines>();
  private readonly validators = new WeakMap<object, (value: unknown) => boolean>();

  constructor(
    private readonly link: ServerLink,
    private readonly clock: Clock,
  ) {}

  /** A line of the server's log: it is of the call that runs, where there is one. */
  log(line: string): void {
    if (this.running.size !== 1) return;
    for (const lines of this.running) lines.line(line);
  }

  async callTool(name: string, args: Readonly<Record<string, unknown>>, options: CallOptions): Promise<CallToolResult> {
    const server = this.link.config.name;
    if (JSON.stringify(args).length > MAX_ARGUMENTS)
      throw new McpError('TOO_LARGE', `The arguments for ${name} of the MCP server ${server} are larger than 4 MB.`);
    await this.link.whenReady(options.signal);
    const tool = this.find(name);
    const result = await this.run(options, (session, request) => session.callTool(tool, args, request));
    try {
      return boundResult(result, this.validatorOf(tool));
    } catch (error) {
      // Nested deeper than can be written down; the call took effect.
      throw new McpError('INVALID_ANSWER', `The result of ${name} of the MCP server ${server} can't be read.`, { cause: error });
    }
  }

  readResource(uri: string, options: CallOptions): Promise<ReadResourceResult> {
    return this.run(options, async (session, request) => boundResource(await session.readResource(uri, request)));
  }

  getPrompt(name: string, args: Readonly<Record<string, string>>, options: CallOptions): Promise<GetPromptResult> {
    return this.run(options, async (session, request) => boundPrompt(await session.getPrompt(name, args, request)));
  }

  async complete(completion: Completion, options: CallOptions): Promise<CompleteResult['completion']> {
    const session = await this.link.whenReady(options.signal);
    if (session.capabilities.completions === undefined) return { values: [] };
    const { completion: found } = await this.run(options, (ready, request) => ready.complete(completion, request));
    return { ...found, values: found.values.slice(0, MAX_COMPLETIONS) };
  }

  /** Follows a resource; the answer ends it. */
  async watch(uri: string): Promise<() => Promise<void>> {
    const session = await this.link.whenReady();
    try {
      return await session.watch(uri);
    } catch (error) {
      throw toCallFailure(this.link.config.name, error, DEFAULT_TIMEOUT_MS).error;
    }
  }

  private find(name: string): McpTool {
    const tool = this.link.lists.tools.find((each) => each.tool === name);
    if (tool !== undefined) return tool;
    throw new McpError('UNKNOWN_TOOL', `The MCP server ${this.link.config.name} offers no tool ${JSON.stringify(name.slice(0, 100))}.`);
  }

  private async run<T>(options: CallOptions, request: (session: ServerSession, options: RequestOptions) => Promise<T>): Promise<T> {
    const { link } = this;
    const server = link.config.name;
    if (this.running.size >= MAX_RUNNING) throw new McpError('REFUSED', `${MAX_RUNNING} calls of the MCP server ${server} run already.`);
    const timeoutMs = options.timeoutMs ?? link.config.timeoutMs ?? DEFAULT_TIMEOUT_MS;
    const lines = new ProgressLines(this.clock, options.onProgress);
    const cancel = new AbortController();
    const onAbort = (): void => cancel.abort('cancelled by the caller');
    options.signal?.addEventListener('abort', onAbort, { once: true });
    this.running.add(lines);
    const requestOptions: RequestOptions = {
      signal: cancel.signal,
      timeout: timeoutMs,
      maxTotalTimeout: timeoutMs * PROGRESS_FACTOR,
      resetTimeoutOnProgress: true,
      onprogress: (progress) => lines.progress(progress),
    };
    try {
      for (let isSecond = false; ; isSecond = true) {
        const session = await link.whenReady(options.signal);
        try {
          return await request(session, requestOptions);
        } catch (error) {
          if (options.signal?.aborted === true) {
            throw new McpError('CANCELLED', `The call of the MCP server ${server} was cancelled; whether it took effect is not known.`);
          }
          const failure = toCallFailure(server, error, timeoutMs);
          if (failure.error.code === 'NEEDS_LOGIN') link.needLogin();
          else if (failure.isLost) link.lose(session);
          if (!failure.mayRepeat || isSecond) throw failure.error;
        }
      }
    } finally {
      options.signal?.removeEventListener('abort', onAbort);
      this.running.delete(lines);
      lines.end();
    }
  }

  private validatorOf({ outputSchema }: McpTool): ((value: unknown) => boolean) | undefined {
    if (outputSchema === undefined) return undefined;
    const known = this.validators.get(outputSchema);
    if (known !== undefined) return known;
    const validator = toValidator(outputSchema);
    this.validators.set(outputSchema, validator);
    return validator;
  }
}

/** A schema that can't be compiled says nothing against any value. */
function toValidator(schema: object): (value: unknown) => boolean {
  try {
    return compileSchema(schema);
  } catch {
    return () => true;
  }
}
