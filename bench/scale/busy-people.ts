import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { inspect } from 'node:util';
import { CodeLabClient, type ToolExecutor } from '@codelab/client';

/** What people and programs met, together. */
export class Tally {
  turns = 0;
  calls = 0;
  answers = 0;
  reconnections = 0;
  /** What nobody should see while replicas come and go, in words. */
  readonly errors: string[] = [];
}

export interface PersonOptions {
  readonly name: string;
  /** `ws://…/ws` */
  readonly url: string;
  readonly token: string;
  /** For the journal. */
  readonly folder: string;
}

/**
 * The client that people have, in turns that follow each other. Counted as errors: a turn that doesn't complete, a message that is refused, an
 * `error` frame, a call that ran twice, a connection that is over for good, anything that the client would tell its user. That it comes back
 * elsewhere when its gateway drains is none.
 */
export class BusyPerson {
  private isWorking = true;
  private turnEnded: (() => void) | undefined;
  private lives = 0;

  private constructor(
    private readonly client: CodeLabClient,
    private readonly name: string,
    private readonly tally: Tally,
  ) {}

  static async open({ name, url, token, folder }: PersonOptions, tally: Tally): Promise<BusyPerson> {
    const journalDir = join(folder, name);
    await mkdir(journalDir, { recursive: true });
    const ran = new Set<string>();
    const self: { person?: BusyPerson } = {};
    const executor: ToolExecutor = {
      tools: ['read_file'],
      run: async (_tool, args) => {
        const path = String((args as { readonly path?: unknown }).path);
        if (ran.has(path)) tally.errors.push(`${name}: the call for ${path} ran twice`);
        ran.add(path);
        tally.calls += 1;
        return { ok: true, result: { content: 'x'.repeat(200), encoding: 'utf-8', size: 200 } };
      },
      preview: async () => undefined,
    };
    const client = new CodeLabClient({
      ...{ url, token, clientId: name, journalDir, executor },
      client: { name: 'scale', version: '1.0.0' },
      workspace: { id: name, name, root: '/' },
      onFrame: (frame) => {
        if (frame.type === 'error') tally.errors.push(`${name}: error ${frame.code}: ${frame.message}`);
        if (frame.type !== 'turn_ended') return;
        if (frame.status === 'completed') tally.turns += 1;
        else tally.errors.push(`${name}: a turn ended ${frame.status}`);
        self.person?.turnEnded?.();
      },
      onState: (state) => {
        if (state.kind === 'live') self.person?.live();
        if (state.kind === 'closed' && state.reason.kind !== 'closed') tally.errors.push(`${name}: closed, ${state.reason.message}`);
      },
      onProblem: ({ event, message }) => tally.errors.push(`${name}: ${event}: ${message}`),
    });
    self.person = new BusyPerson(client, name, tally);
    await client.connect();
    return self.person;
  }

  /** Says one thing after another until `rest`, each when the turn of the one before is over. */
  async work(): Promise<void> {
    while (this.isWorking) {
      const over = new Promise<void>((resolve) => (this.turnEnded = resolve));
      try {
        await this.client.sendMessage('go on');
      } catch (error) {
        this.tally.errors.push(`${this.name}: a message was refused: ${String(error)}`);
        return;
      }
      await over;
    }
  }

  /** After the present turn nothing more is said. */
  rest(): void {
    this.isWorking = false;
  }

  close(): Promise<void> {
    return this.client.close();
  }

  private live(): void {
    this.lives += 1;
    if (this.lives > 1) this.tally.reconnections += 1;
  }
}

/** A program that asks llm-proxy for one streamed answer after another. Each request is a connection of its own. */
export class BusyProgram {
  private isWorking = true;

  constructor(
    private readonly url: string,
    private readonly token: string,
    private readonly tally: Tally,
  ) {}

  async work(): Promise<void> {
    while (this.isWorking) {
      try {
        const response = await fetch(`${this.url}/v1/chat/completions`, {
          method: 'POST',
          headers: { authorization: `Bearer ${this.token}`, 'content-type': 'application/json', connection: 'close' },
          body: JSON.stringify({ model: 'slow', stream: true, messages: [{ role: 'user', content: 'go on' }] }),
        });
        const text = await response.text();
        if (response.status === 200 && text.includes('[DONE]')) this.tally.answers += 1;
        else this.tally.errors.push(`a program: ${String(response.status)} ${text.slice(0, 200)}`);
      } catch (error) {
        this.tally.errors.push(`a program: ${inspect(error, { depth: 1, breakLength: Infinity })}`);
      }
    }
  }

  rest(): void {
    this.isWorking = false;
  }
}
