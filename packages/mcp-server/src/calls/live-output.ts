import type { Clock } from '@codelab/clock';
import { SecretStream } from '@codelab/tools';
import type { ServerContext } from '@modelcontextprotocol/server';

type Stream = 'stdout' | 'stderr';

/** Pieces are gathered for so long, and a notification carries at most so many characters: the last ones. */
const GATHER_MS = 250;
const MAX_CHARACTERS = 4_000;

/** What the output of a call is told by. */
export interface OutputPorts {
  readonly ctx: ServerContext;
  readonly toolName: string;
  readonly clock: Clock;
  /** Fingerprints of secrets that may be shown, and secrets that have no shape. */
  readonly allowed: ReadonlySet<string>;
  readonly known: readonly string[];
}

/**
 * What a call prints, while it runs, without its secrets: as progress where the other program asked for that, else as log messages.
 * It may be lost; the result has the whole.
 */
export class LiveOutput {
  private readonly masks = new Map<Stream, SecretStream>();
  private readonly waiting = new Map<Stream, string>();
  private callOff: (() => void) | undefined;
  private steps = 0;
  private sent: Promise<unknown> = Promise.resolve();

  constructor(private readonly ports: OutputPorts) {}

  readonly add = (stream: Stream, data: string): void => {
    const mask = this.masks.get(stream) ?? new SecretStream(this.ports.allowed, this.ports.known);
    this.masks.set(stream, mask);
    this.keep(stream, mask.push(data));
    this.callOff ??= this.ports.clock.after(GATHER_MS, () => this.flush());
  };

  /** Says that the call goes on, so that the other program doesn't give it up: "waits for approval". */
  readonly note = (message: string): void => this.tell('stderr', message);

  /** Sends what was kept back; resolves when everything is out, so that nothing comes after the result. */
  async end(): Promise<void> {
    for (const [stream, mask] of this.masks) this.keep(stream, mask.end());
    this.flush();
    await this.sent;
  }

  private keep(stream: Stream, text: string): void {
    if (text !== '') this.waiting.set(stream, ((this.waiting.get(stream) ?? '') + text).slice(-MAX_CHARACTERS));
  }

  private flush(): void {
    this.callOff?.();
    this.callOff = undefined;
    for (const [stream, text] of this.waiting) this.tell(stream, text);
    this.waiting.clear();
  }

  private tell(stream: Stream, text: string): void {
    const { ctx, toolName } = this.ports;
    const progressToken = ctx.mcpReq._meta?.progressToken;
    this.steps += 1;
    const params = { progressToken, progress: this.steps, message: text };
    const told =
      progressToken === undefined
        ? ctx.mcpReq.log('info', { tool: toolName, stream, text }, 'codelab')
        : ctx.mcpReq.notify({ method: 'notifications/progress', params });
    this.sent = Promise.all([this.sent, told.catch(() => undefined)]); // the connection is gone: nobody misses it
  }
}
