import type { SessionRef, SessionStore } from '@codelab/bus';
import type { Clock } from '@codelab/clock';
import { toEnvelope } from '@codelab/protocol';
import { SecretStream } from '@codelab/tools';

/** Output of one call that clients are shown, and how much of it waits at a time; more is dropped. */
const MAX_OUTPUT_BYTES = 256 * 1024;
const MAX_PENDING_CHARACTERS = 16 * 1024;

/** Pieces are collected for so long. */
const PAUSE_MS = 100;

const NOTHING_ALLOWED: ReadonlySet<string> = new Set();

/** Shows clients how a call goes on. A tool that floods costs a bounded part of a channel; what is not shown is progress only. */
export class OutputRelay {
  private readonly secrets = new SecretStream(NOTHING_ALLOWED);
  private pending = '';
  private offset = 0;
  private cancelFlush: (() => void) | undefined;
  private isOver = false;

  constructor(
    private readonly ref: SessionRef,
    private readonly callId: string,
    private readonly ports: { readonly store: Pick<SessionStore, 'relay'>; readonly clock: Clock },
  ) {}

  push(data: string): void {
    if (this.isOver || this.offset >= MAX_OUTPUT_BYTES) return;
    this.pending = (this.pending + data.slice(0, MAX_PENDING_CHARACTERS)).slice(0, MAX_PENDING_CHARACTERS);
    this.cancelFlush ??= this.ports.clock.after(PAUSE_MS, () => this.flush());
  }

  /** Shows what is left; nothing comes after it. */
  end(): void {
    if (this.isOver) return;
    this.isOver = true;
    this.cancelFlush?.();
    this.show(this.secrets.push(this.pending) + this.secrets.end());
  }

  private flush(): void {
    this.cancelFlush = undefined;
    const data = this.pending;
    this.pending = '';
    this.show(this.secrets.push(data));
  }

  private show(data: string): void {
    if (data === '') return;
    const frame = toEnvelope({ type: 'tool_output', call_id: this.callId, stream: 'stdout', offset: this.offset, data });
    this.offset += Buffer.byteLength(data);
    this.ports.store.relay(this.ref, frame).catch(() => undefined); // one that is lost does no harm
  }
}
