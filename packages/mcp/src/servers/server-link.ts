import type { AuthProvider, PriorDiscovery } from '@modelcontextprotocol/client';
import type { McpServerConfig } from '../config/mcp-server-config.js';
import { ConnectFailure } from '../connection/connect-failure.js';
import { openSession } from '../connection/open-session.js';
import type { ServerSession } from '../connection/server-session.js';
import type { ListKind, SessionOptions } from '../connection/session-options.js';
import { cleanLine, cleanText } from '../lists/clean-text.js';
import { McpError } from './mcp-error.js';
import type { McpLogEvent } from './mcp-hooks.js';
import type { McpServerState, McpServerStatus } from './mcp-server-state.js';
import { NO_LISTS, readLists, type ServerLists } from './server-lists.js';

/** The first retry comes after this, each further one after twice as long, with up to half of it taken off at random. */
const FIRST_RETRY_MS = 1_000;
const MAX_RETRY_MS = 5 * 60_000;

/** A connection that lived so long begins with the first delay again. */
const STEADY_MS = 60_000;

/** A call brings the next attempt forward, but no sooner than this after the last one. */
const HASTE_MS = 5_000;

/** How long a call waits for a connection. */
const WAIT_MS = 10_000;

/** A list that changed is read after this, and no more often than that. */
const LIST_DELAY_MS = 200;
const LIST_EVERY_MS = 2_000;

const MAX_NOTES = 20;
const KINDS: readonly ListKind[] = ['tools', 'resources', 'prompts'];

export interface LinkOptions extends Pick<
  SessionOptions,
  'config' | 'clientInfo' | 'cwd' | 'environment' | 'hooks' | 'clock' | 'fetch' | 'connectTimeoutMs'
> {
  readonly auth?: AuthProvider;
  readonly loginHint: string;
  readonly onChange: () => void;
  readonly onResourceUpdated: (uri: string) => void;
  readonly onServerLog: (text: string) => void;
  /** A number from 0 to 1. */
  readonly random: () => number;
}

/** One server over its connections: connecting, ready, failed and tried again, until it is closed. */
export class ServerLink {
  lists: ServerLists = NO_LISTS;
  private state: McpServerStatus;
  private session: ServerSession | undefined;
  private known: Pick<McpServerState, 'title' | 'version' | 'protocol' | 'instructions'> = {};
  private transport: McpServerState['transport'];
  private stderr = '';
  private readonly misconduct = new Set<string>();
  private prior: PriorDiscovery | undefined;
  private attempts = 0;
  private attemptedAt = 0;
  /** Grows with each connection that is begun or given up; what belongs to another life is ignored. */
  private life = 0;
  /** The connection that is being made, and what gives it up. */
  private opening: Promise<void> | undefined;
  private giveUp = new AbortController();
  private cancelRetry: () => void = () => undefined;
  private readonly timers = new Map<ListKind, () => void>();
  private readonly readAt = new Map<ListKind, number>();
  private readonly waiters = new Set<() => void>();

  constructor(private readonly options: LinkOptions) {
    this.state = options.config.disabled === true ? { kind: 'disabled' } : { kind: 'connecting' };
    this.transport = options.config.transport.kind;
  }

  get config(): McpServerConfig {
    return this.options.config;
  }

  get status(): McpServerStatus {
    return this.state;
  }

  /** The connection, while it is ready. */
  get ready(): ServerSession | undefined {
    return this.state.kind === 'ready' ? this.session : undefined;
  }

  describe(): McpServerState {
    const { lists } = this;
    const stderr = cleanText(this.session?.stderr ?? this.stderr, 4_000);
    const notes = [...Object.values(lists.notes).flat(), ...this.misconduct];
    return {
      name: this.config.name,
      status: this.state,
      transport: this.transport,
      ...this.known,
      tools: lists.tools.length,
      resources: lists.resources.length,
      resourceTemplates: lists.templates.length,
      prompts: lists.prompts.length,
      notes: notes.length <= MAX_NOTES ? notes : [...notes.slice(0, MAX_NOTES - 1), `… and ${notes.length - MAX_NOTES + 1} more notes.`],
      ...(stderr !== '' && { stderr }),
    };
  }

  /** Connects. Resolves, whatever comes of it. */
  async connect(): Promise<void> {
    const life = this.begin();
    this.become({ kind: 'connecting' });
    await this.end();
    if (life !== this.life) return;
    this.giveUp = new AbortController();
    this.opening = this.open(life, this.giveUp.signal);
    await this.opening;
  }

  private async open(life: number, signal: AbortSignal): Promise<void> {
    this.attemptedAt = this.options.clock.now();
    try {
      const session = await openSession(this.sessionOptions(life, signal));
      if (life !== this.life) return await session.close();
      this.adopt(session);
      for (const kind of KINDS) await this.read(kind, session);
      if (life === this.life && this.session === session) this.become({ kind: 'ready' });
    } catch (error) {
      if (life === this.life) this.fail(error);
    }
  }

  /** What is under way is of another life from now on. */
  private begin(): number {
    this.cancelRetry();
    this.giveUp.abort();
    return (this.life += 1);
  }

  /** Ends the connection, and one that is being made. */
  private async end(): Promise<void> {
    const { session, opening } = this;
    this.session = undefined;
    await Promise.all([session?.close(), opening]);
  }

  /** Connects anew after what a request found out. */
  lose(session: ServerSession): void {
    if (this.session !== session) return;
    void this.connect();
  }

  /** The login is missing or over. */
  needLogin(): void {
    this.begin();
    void this.end();
    this.empty();
    this.become({ kind: 'needs_login', how: this.options.loginHint });
  }

  async disable(): Promise<void> {
    this.begin();
    this.empty();
    this.become({ kind: 'disabled' });
    await this.end();
  }

  /**
   * The connection, waited for up to 10 seconds.
   *
   * @throws McpError that says why there is none
   */
  async whenReady(signal?: AbortSignal): Promise<ServerSession> {
    const { clock, config } = this.options;
    // A login may have come from another process meanwhile.
    const isDown = this.state.kind === 'failed' || this.state.kind === 'needs_login';
    if (isDown && clock.now() - this.attemptedAt >= HASTE_MS) void this.connect();
    const until = clock.now() + WAIT_MS;
    while (this.ready === undefined && this.isComing() && clock.now() < until && signal?.aborted !== true) {
      await this.change(until - clock.now(), signal);
    }
    if (signal?.aborted === true)
      throw new McpError('CANCELLED', `The call of the MCP server ${config.name} was cancelled before it was sent.`);
    if (this.ready !== undefined) return this.ready;
    const { state } = this;
    if (state.kind === 'needs_login') throw new McpError('NEEDS_LOGIN', `The MCP server ${config.name} wants a login. ${state.how}`);
    const why =
      state.kind === 'failed' ? ` ${state.why}` : state.kind === 'disabled' ? ' It is disabled.' : ' It is still being connected.';
    throw new McpError('NOT_CONNECTED', `The MCP server ${config.name} is not connected; nothing was sent.${why}`);
  }

  private isComing(): boolean {
    const { state } = this;
    return (
      state.kind === 'connecting' ||
      (state.kind === 'failed' && state.retryAt !== undefined && state.retryAt - this.options.clock.now() < WAIT_MS)
    );
  }

  private change(ms: number, signal: AbortSignal | undefined): Promise<void> {
    return new Promise((resolve) => {
      const done = (): void => {
        cancel();
        this.waiters.delete(done);
        signal?.removeEventListener('abort', done);
        resolve();
      };
      const cancel = this.options.clock.after(ms, done);
      this.waiters.add(done);
      signal?.addEventListener('abort', done, { once: true });
    });
  }

  private sessionOptions(life: number, signal: AbortSignal): SessionOptions {
    const { auth, ...options } = this.options;
    const ours = (run: () => void): void => {
      if (life === this.life) run();
    };
    return {
      ...options,
      auth,
      prior: this.prior,
      signal,
      onListChanged: (kind) => ours(() => this.scheduleRead(kind)),
      onResourceUpdated: (uri) => ours(() => this.options.onResourceUpdated(uri)),
      onServerLog: (level, text) => {
        this.options.onServerLog(text);
        this.log(level === 'error' || level === 'warning' ? 'warn' : 'info', 'log', cleanLine(text, 1_000));
      },
      onMisconduct: (sentence) => this.note(sentence),
      onLost: (why) => ours(() => this.fail(new ConnectFailure('failed', `The connection ended: ${why}.`))),
    };
  }

  private adopt(session: ServerSession): void {
    const { info, instructions, protocol } = session;
    this.session = session;
    this.transport = session.transport;
    this.prior = session.prior;
    this.known = {
      title: info === undefined ? undefined : cleanLine(info.name, 100),
      version: info === undefined ? undefined : cleanLine(info.version, 50),
      protocol,
      instructions: instructions === undefined || instructions === '' ? undefined : cleanText(instructions, 4_000),
    };
    this.log('info', 'connected', `connected by ${session.transport}`);
  }

  private fail(error: unknown): void {
    const { clock, random } = this.options;
    const lived = this.state.kind === 'ready' && clock.now() - this.attemptedAt >= STEADY_MS;
    const { session } = this;
    this.stderr = session?.stderr ?? this.stderr;
    this.session = undefined;
    void session?.close();
    this.empty();
    if (error instanceof ConnectFailure && error.kind === 'needs_login')
      return this.become({ kind: 'needs_login', how: this.options.loginHint });
    const why = error instanceof ConnectFailure ? error.message : `It could not be connected: ${cleanLine(String(error), 200)}`;
    this.attempts = lived ? 1 : this.attempts + 1;
    const delay = Math.min(MAX_RETRY_MS, FIRST_RETRY_MS * 2 ** Math.min(this.attempts - 1, 20)) * (1 - random() / 2);
    this.log('warn', 'failed', why);
    this.cancelRetry = clock.after(delay, () => void this.connect());
    this.become({ kind: 'failed', why, retryAt: clock.now() + Math.round(delay) });
  }

  private empty(): void {
    this.lists = NO_LISTS;
    for (const cancel of this.timers.values()) cancel();
    this.timers.clear();
  }

  private scheduleRead(kind: ListKind): void {
    const { session } = this;
    if (session === undefined || this.timers.has(kind)) return;
    const { clock } = this.options;
    const delay = Math.max(LIST_DELAY_MS, (this.readAt.get(kind) ?? 0) + LIST_EVERY_MS - clock.now());
    const cancel = clock.after(delay, () => {
      this.timers.delete(kind);
      void this.read(kind, session).then(() => this.tell());
    });
    this.timers.set(kind, cancel);
  }

  private async read(kind: ListKind, session: ServerSession): Promise<void> {
    this.readAt.set(kind, this.options.clock.now());
    const read = await readLists(kind, session, this.config, NO_LISTS);
    if (this.session !== session) return;
    const { notes, ...rest } = read;
    const fields = {
      tools: { tools: rest.tools },
      resources: { resources: rest.resources, templates: rest.templates },
      prompts: { prompts: rest.prompts },
    };
    this.lists = { ...this.lists, ...fields[kind], notes: { ...this.lists.notes, [kind]: notes[kind] } };
  }

  private note(sentence: string): void {
    if (this.misconduct.has(sentence) || this.misconduct.size >= MAX_NOTES) return;
    this.misconduct.add(sentence);
    this.log('warn', 'protocol', sentence);
    this.options.onChange();
  }

  private become(state: McpServerStatus): void {
    this.state = state;
    this.tell();
  }

  private tell(): void {
    for (const waiter of [...this.waiters]) waiter();
    this.options.onChange();
  }

  private log(level: McpLogEvent['level'], kind: McpLogEvent['kind'], message: string): void {
    this.options.hooks.log?.({ level, server: this.config.name, kind, message });
  }
}
