import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { demand, Failure, Skip } from '../check.js';
import { PATIENCE } from '../patience.js';
import type { Frame } from '../wire/frame.js';
import type { ClientStart, ClientUnderTest } from './client-under-test.js';
import type { ScriptedServer } from './scripted-server.js';
import { ScriptedSession, type JoinOptions } from './scripted-session.js';

/** What a check of a client has: a workspace, a scripted server, and the client. */
export class ClientStage {
  readonly session: ScriptedSession;
  /** A folder beside the workspace, where nothing may happen. */
  readonly outside: string;
  /** The last `hello`. */
  hello: Frame = { type: 'hello' };

  constructor(
    readonly server: ScriptedServer,
    private readonly client: ClientUnderTest,
    private readonly place: Pick<ClientStart, 'workspace' | 'state' | 'session'> & { readonly outside: string },
  ) {
    this.session = new ScriptedSession(server);
    this.outside = place.outside;
  }

  /** Where the client said that it stopped reading, with its last `hello`. */
  get resume(): { readonly epoch?: string; readonly seq?: number } {
    return (this.hello['resume'] as { readonly epoch?: string; readonly seq?: number } | undefined) ?? {};
  }

  /** The folder that the client works on. */
  get workspace(): string {
    return this.place.workspace;
  }

  /** Starts the client, lets it join, and looks whether it has the tools that the check needs. */
  async begin(needs: readonly string[] = [], options: JoinOptions & { readonly approve?: 'all' | 'none' } = {}): Promise<void> {
    await this.launch(options.approve);
    this.hello = await this.named(this.session.join({ withinMs: PATIENCE.startMs, ...options }));
    this.needs(needs);
  }

  /** Starts the client and does nothing else. */
  launch(approve: 'all' | 'none' = 'all'): Promise<void> {
    const { server, place } = this;
    return this.client.start({ url: server.url, token: server.token, ...place, approve });
  }

  /** Kills the client; the connection is gone then. */
  async kill(): Promise<void> {
    const { peer } = this.session;
    await this.client.kill();
    await peer.ended;
  }

  /** Starts the client that was killed again, and lets it join. */
  async restart(options: JoinOptions = {}): Promise<void> {
    await this.launch();
    this.hello = await this.named(this.session.join({ withinMs: PATIENCE.startMs, ...options }));
  }

  /** Lets a client that lost its connection come again. */
  async rejoin(options: JoinOptions = {}): Promise<void> {
    this.hello = await this.named(this.session.join(options));
  }

  /** Skips the check where the client lacks a tool. */
  needs(tools: readonly string[]): void {
    const names = (this.hello['tools'] as readonly (string | { readonly name: string })[] | undefined) ?? [];
    const offered = names.map((tool) => (typeof tool === 'string' ? tool : tool.name));
    const missing = tools.filter((tool) => !offered.includes(tool));
    if (missing.length > 0) throw new Skip(`the client offers no ${missing.join(' and no ')}`);
  }

  /** Writes a file of the workspace. */
  async write(path: string, content: string): Promise<void> {
    await mkdir(dirname(join(this.workspace, path)), { recursive: true });
    await writeFile(join(this.workspace, path), content);
  }

  /** Removes a file of the workspace. */
  remove(path: string): Promise<void> {
    return rm(join(this.workspace, path), { force: true });
  }

  /** The content of a file of the workspace; `undefined` without one. */
  async read(path: string): Promise<string | undefined> {
    const file = join(this.workspace, path);
    return existsSync(file) ? await readFile(file, 'utf8') : undefined;
  }

  /** Waits until there is a file in the workspace. */
  async appears(path: string): Promise<void> {
    const deadline = Date.now() + PATIENCE.startMs;
    while (!existsSync(join(this.workspace, path))) {
      demand(Date.now() < deadline, `${path} did not appear: the call did not begin`);
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  }

  /** Fails unless a file of the workspace has this content; `undefined`: unless there is none. */
  async holds(path: string, content: string | undefined, otherwise: string): Promise<void> {
    const now = await this.read(path);
    demand(now === content, `${otherwise}: ${path} holds ${JSON.stringify(now ?? null)}, not ${JSON.stringify(content ?? null)}`);
  }

  /** Fails if the client did something on any connection that no frame may be. */
  demandClean(): void {
    const [fault] = this.session.allFaults();
    demand(fault === undefined, `the client sent what is no frame: ${fault ?? ''}`);
  }

  /** Sends a client that is still connected to the next check: it comes again by itself. */
  leave(): void {
    this.session.dismiss();
  }

  /** Adds what the client printed to a failure of a connection that did not come. */
  private async named<T>(joining: Promise<T>): Promise<T> {
    try {
      return await joining;
    } catch (error) {
      const printed = this.client.output();
      if (!(error instanceof Failure) || printed === '') throw error;
      throw new Failure(`${error.message}\nthe client printed: ${printed}`);
    }
  }
}

/** Lower-case hex SHA-256 of a text. */
export const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');
