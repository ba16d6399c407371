import { encodeFrame, type ClientFrameOf, type ServerFrameOf } from '@codelab/protocol';
import type { Clock } from '@codelab/clock';
import type { ToolExecutor } from '../calls/tool-executor.js';

/** Changes that come closer together are told as one: several servers of tools start side by side. */
const GATHER_MS = 100;

interface TellerPorts {
  readonly executor: ToolExecutor | undefined;
  readonly clock: Clock;
  /** The session is live: what is told now arrives. */
  readonly isLive: () => boolean;
  readonly send: (text: string) => void;
  /** Connects anew: `hello` says it to a gateway that takes no `tools_changed`. */
  readonly reconnect: () => void;
}

/**
 * Tells the servers what the executor has, whenever that has become something else than what they know of this connection: by `tools_changed`, or by
 * a new connection where the gateway is of a former release. Only the executor of the session tells; whoever becomes it tells then.
 */
export class ToolsTeller {
  private told: string | undefined;
  private executes = false;
  /** The gateway takes the frame. */
  private isTaken = false;
  private callOff: (() => void) | undefined;
  private endListening: (() => void) | undefined;

  constructor(private readonly ports: TellerPorts) {
    this.endListening = ports.executor?.onToolsChanged?.(() => this.gather());
  }

  /** `hello` says what there is now; of a process that only watches, nothing, now or later. */
  greeted(executes: boolean): void {
    this.told = executes ? this.present() : undefined;
  }

  /** What the gateway can. */
  welcomed({ limits }: Pick<ServerFrameOf<'welcome'>, 'limits'>): void {
    this.isTaken = (limits['max_changed_tools_bytes'] ?? 0) > 0;
  }

  /** The session is live, or its executor has changed. */
  follow(executor: ServerFrameOf<'welcome'>['executor']): void {
    this.executes = executor === 'you';
    this.tell();
  }

  /** Tells at once, if there is something to tell: a message that follows is for a model that has these tools. */
  tell(): void {
    const present = this.present();
    if (!this.executes || !this.ports.isLive() || this.told === undefined || present === this.told) return;
    this.told = present;
    if (!this.isTaken) return this.ports.reconnect();
    const frame: ClientFrameOf<'tools_changed'> = { type: 'tools_changed', tools: [...(this.ports.executor?.tools ?? [])] };
    this.ports.send(encodeFrame(frame));
  }

  stop(): void {
    this.callOff?.();
    this.endListening?.();
    this.endListening = undefined;
  }

  private gather(): void {
    this.callOff ??= this.ports.clock.after(GATHER_MS, () => {
      this.callOff = undefined;
      this.tell();
    });
  }

  private present(): string {
    return JSON.stringify(this.ports.executor?.tools ?? []);
  }
}
