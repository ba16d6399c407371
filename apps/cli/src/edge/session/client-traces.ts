import type { ClientTraces, ToolExecutor } from '@codelab/client';
import type { ServerFrame } from '@codelab/protocol';
import { childOf, readTraceparent, type TraceContext, type Tracing, wallClock, writeTraceparent } from '@codelab/tracing';

interface SentMessage {
  readonly context: TraceContext;
  readonly startMs: number;
}

/** Calls whose trace is remembered until they are run. */
const MAX_CALLS = 1_000;

/** Records what people and their tools do at this client: a message is the root of a trace, what the tools do stands below their calls. */
export class SessionTraces implements ClientTraces {
  private readonly messages = new Map<string, SentMessage>();
  private readonly calls = new Map<string, string>();

  constructor(private readonly tracing: Tracing) {}

  message(messageId: string): string {
    const sent = this.messages.get(messageId) ?? { context: this.tracing.begin(undefined), startMs: wallClock() };
    this.messages.set(messageId, sent);
    return writeTraceparent(sent.context);
  }

  /** A frame of the servers: a turn may have ended, a call come. */
  hear(frame: ServerFrame): void {
    if (frame.type === 'tool_call' && frame.traceparent !== undefined) {
      this.calls.set(frame.call_id, frame.traceparent);
      const [oldest] = this.calls.keys();
      if (this.calls.size > MAX_CALLS && oldest !== undefined) this.calls.delete(oldest);
    }
    if (frame.type === 'turn_ended') for (const messageId of frame.message_ids) this.end(messageId, frame.status);
  }

  /** The same executor, whose runs are recorded. */
  follow(executor: ToolExecutor): ToolExecutor {
    const run: ToolExecutor['run'] = (toolName, args, context) =>
      this.record(toolName, context.callId, executor.run(toolName, args, context));
    return new Proxy(executor, {
      get: (target, name) => {
        if (name === 'run') return run;
        const value: unknown = Reflect.get(target, name, target);
        return typeof value === 'function' ? (value.bind(target) as unknown) : value;
      },
    });
  }

  async close(): Promise<void> {
    for (const messageId of [...this.messages.keys()]) this.end(messageId, 'left');
    await this.tracing.close();
  }

  private async record(toolName: string, callId: string, running: ReturnType<ToolExecutor['run']>): ReturnType<ToolExecutor['run']> {
    const parent = readTraceparent(this.calls.get(callId));
    this.calls.delete(callId);
    if (parent === undefined) return running;
    const startMs = wallClock();
    let error: string | undefined = 'fault';
    try {
      const outcome = await running;
      error = outcome.ok ? undefined : outcome.error.code;
      return outcome;
    } finally {
      this.tracing.record({
        name: `run ${toolName}`,
        ...{ context: childOf(parent, `${callId} run`), parentSpanId: parent.spanId, startMs, endMs: wallClock(), error },
        attributes: { 'gen_ai.tool.name': toolName, 'gen_ai.tool.call.id': callId },
      });
    }
  }

  private end(messageId: string, outcome: string): void {
    const sent = this.messages.get(messageId);
    if (sent === undefined) return;
    this.messages.delete(messageId);
    this.tracing.record({
      name: 'message',
      ...{ kind: 'client', context: sent.context, startMs: sent.startMs, endMs: wallClock() },
      attributes: { 'codelab.message.id': messageId, 'codelab.turn.status': outcome },
      error: outcome === 'failed' ? outcome : undefined,
    });
  }
}
