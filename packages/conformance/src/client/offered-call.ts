import { randomUUID } from 'node:crypto';
import { argsDigest } from '@codelab/tools';

/** What a call should be. */
export interface CallWish {
  /** The arguments; a text is put into the frame to the letter. */
  readonly args: Readonly<Record<string, unknown>> | string;
  /** Somebody has to decide first. */
  readonly asked?: boolean;
  /** A digest other than that of the arguments. */
  readonly digest?: string;
  readonly operands?: readonly { readonly path: string; readonly sha256: string }[];
  readonly deadlineMs?: number;
  readonly runsAt?: 'server';
}

const SAFE = new Set(['read_file', 'list_files', 'search_in_project']);

/** A call as the scripted server keeps it. */
export class OfferedCall {
  readonly id = `call_${randomUUID().replaceAll('-', '').slice(0, 26)}`;
  readonly digest: string;
  fence = 1;
  seq = 0;
  state: 'waiting_approval' | 'ready';
  args: string;

  constructor(
    readonly tool: string,
    private readonly wish: CallWish,
  ) {
    this.args = typeof wish.args === 'string' ? wish.args : JSON.stringify(wish.args);
    this.digest = wish.digest ?? argsDigest(JSON.parse(this.args));
    this.state = wish.asked === true ? 'waiting_approval' : 'ready';
  }

  /** The frame as the call stands, as text. */
  frame(extra: Readonly<Record<string, unknown>> = {}): string {
    const { asked = false, operands, deadlineMs = 60_000, runsAt } = this.wish;
    const isDecided = asked && this.state === 'ready';
    const outcome = isDecided ? { outcome: 'approved', by: 'ann', at_ms: Date.now() } : {};
    const approval = { reason: 'it changes the workspace', risk: 'medium', choices: ['approve', 'edit', 'reject'], ...outcome };
    const frame = {
      ...{ type: 'tool_call', call_id: this.id, tool_name: this.tool, requires_approval: asked, args_sha256: this.digest },
      ...{ fence: this.fence, deadline_ms: deadlineMs, idempotency: SAFE.has(this.tool) ? 'safe' : 'unsafe', state: this.state },
      ...(asked ? { approval } : {}),
      operands,
      runs_at: runsAt,
      ...extra,
    };
    return `${JSON.stringify(frame).slice(0, -1)},"args":${this.args}}`;
  }
}
