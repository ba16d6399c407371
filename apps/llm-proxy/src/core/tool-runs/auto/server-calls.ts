import { BusError, SERVER_EXECUTOR, type ServerTool, type SessionRef, type SessionCalls } from '@codelab/bus';
import type { Egress } from '@codelab/egress';
import { encodeFrame, JsonText, type ServerFrame, type ServerFrameOf } from '@codelab/protocol';
import { callByUrl } from '../call-by-url.js';

/** What running tools by URL needs. */
export interface ServerCallPorts {
  readonly store: Pick<SessionCalls, 'acknowledge' | 'settleCall'>;
  readonly egress: Pick<Egress, 'fetch'>;
  readonly wait: (ms: number, signal: AbortSignal) => Promise<void>;
}

/** Between two tries to store a result while Redis is away. */
const RETRY_MS = 500;

type CallFrame = ServerFrameOf<'tool_call'>;

/**
 * Runs the calls of a child that are for tools by URL, as their executor: each once, when its frame says that it may run or a decision lets
 * it, with the arguments that were decided on (H1, H2). This process is the only one that follows the child, and it begins a call only after
 * the store has taken its word that it did; where it dies in between the outcome is unknown (R2).
 */
export class ServerCalls {
  private readonly tools: ReadonlyMap<string, ServerTool>;
  private readonly asked = new Map<string, CallFrame>();
  private readonly begun = new Set<string>();
  private readonly running = new Map<string, AbortController>();

  constructor(
    private readonly child: SessionRef,
    tools: readonly ServerTool[],
    private readonly ports: ServerCallPorts,
    private readonly onFault: (error: unknown) => void,
  ) {
    this.tools = new Map(tools.map((tool) => [tool.name, tool]));
  }

  /** Takes a frame of the child, and begins or stops what it means. */
  take(frame: ServerFrame): void {
    switch (frame.type) {
      case 'tool_call':
        if (frame.runs_at !== 'server') return;
        if (frame.state === 'ready') return this.begin(frame, frame.args);
        this.asked.set(frame.call_id, frame);
        return;
      case 'approval_resolved': {
        const asked = this.asked.get(frame.call_id);
        this.asked.delete(frame.call_id);
        if (asked === undefined || (frame.outcome !== 'approved' && frame.outcome !== 'edited')) return;
        return this.begin(asked, frame.args ?? asked.args);
      }
      case 'tool_cancel':
        return this.running.get(frame.call_id)?.abort();
      default:
        return;
    }
  }

  /** Stops what still runs. */
  stop(): void {
    for (const running of this.running.values()) running.abort();
  }

  private begin(frame: CallFrame, args: JsonText): void {
    if (this.begun.has(frame.call_id)) return;
    this.begun.add(frame.call_id);
    const running = new AbortController();
    this.running.set(frame.call_id, running);
    this.run(frame, args, running.signal)
      .catch(this.onFault)
      .finally(() => this.running.delete(frame.call_id));
  }

  private async run({ call_id: callId, tool_name: name, fence }: CallFrame, args: JsonText, signal: AbortSignal): Promise<void> {
    const { store, egress } = this.ports;
    const tool = this.tools.get(name);
    if (!(await store.acknowledge(this.child, { callId, fence, clientId: SERVER_EXECUTOR, state: 'started' }))) return;
    const result =
      tool === undefined
        ? ({ ok: false, code: 'TOOL_NOT_FOUND', message: `The tool ${name} was removed.` } as const)
        : await callByUrl(tool, args.text, { egress, signal });
    const said = result.ok ? { result: new JsonText(result.result) } : { error: { code: result.code, message: result.message } };
    const frame = { type: 'tool_result', call_id: callId, fence, ...said };
    const settled = {
      ...{ callId, fence, clientId: SERVER_EXECUTOR, connection: SERVER_EXECUTOR, frame: encodeFrame(frame) },
      ...(!result.ok && { errorCode: result.code }),
    };
    await this.settle(settled, signal);
  }

  private async settle(result: Parameters<SessionCalls['settleCall']>[1], signal: AbortSignal): Promise<void> {
    for (;;) {
      try {
        await this.ports.store.settleCall(this.child, result);
        return;
      } catch (error) {
        if (!(error instanceof BusError) || signal.aborted) throw error;
        await this.ports.wait(RETRY_MS, signal).catch(() => undefined); // aborted: the next failure is the last
      }
    }
  }
}
