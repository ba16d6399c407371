import { childOf, readTraceparent, type TraceContext, type Tracing } from '@codelab/tracing';
import type { Advance } from '../turn/advance-turn.js';
import type { TurnEvent } from '../turn/step-builder.js';
import { type Call, callsOf, isOpen, type SessionState, shownModel, stepOf, type Turn } from '../turn/turn-state.js';
import type { Followed } from '../session/runtime-ports.js';

type EndedTurn = Extract<TurnEvent, { kind: 'turn_ended' }>;

/** A step whose commit is true. */
export interface TakenStep extends Pick<Followed, 'ref' | 'facts'> {
  readonly before: SessionState;
  readonly advance: Pick<Advance, 'state' | 'events'>;
  readonly nowMs: number;
}

/**
 * Records what came to an end with a step: model requests, questions, calls, the turn. Each span begins where the stored state says and has the
 * ids that follow from the name of what it stands for, so it is whole also where another process began it; a process that is killed
 * between a commit and this loses no more than the spans of that one step.
 */
export function recordStep(tracing: Tracing, step: TakenStep): void {
  const { before, advance } = step;
  const running = before.turn;
  const context = running?.trace?.isOwn ? readTraceparent(running.trace.traceparent) : undefined;
  if (running !== undefined && context !== undefined) {
    const spans = new TurnSpans(tracing, step, running, context);
    spans.recordRequest();
    spans.recordCalls();
  }
  for (const event of advance.events) if (event.kind === 'turn_ended') recordTurn(tracing, step, event);
}

/** Records what ended within a turn. */
class TurnSpans {
  constructor(
    private readonly tracing: Tracing,
    private readonly step: TakenStep,
    private readonly turn: Turn,
    private readonly context: TraceContext,
  ) {}

  /** The model request that is out no more. */
  recordRequest(): void {
    const { turn, step } = this;
    const out = stepOf(turn);
    if (out === undefined || stepOf(step.advance.state.turn)?.stepId === out.stepId) return;
    const end = step.advance.events.find((event) => 'stepId' in event && event.stepId === out.stepId && event.kind !== 'model_asked');
    this.record(out.stepId, {
      name: out.compacting === undefined ? 'model_request' : 'model_request compact',
      startMs: turn.phaseSinceMs,
      attributes: { 'codelab.step.id': out.stepId, 'codelab.message.id': out.messageId, 'gen_ai.request.model': shownModel(turn) },
      error: end === undefined ? 'cancelled' : end.kind === 'model_failed' ? end.code : undefined,
    });
  }

  /** Questions that wait no more, and calls that have their result. */
  recordCalls(): void {
    const { turn, step } = this;
    const { state } = step.advance;
    const now = new Map((state.turn === undefined ? [] : callsOf(state.turn)).map((call) => [call.callId, call]));
    for (const call of callsOf(turn)) {
      if (!isOpen(call)) continue;
      const after = now.get(call.callId);
      if (call.state === 'waiting_approval' && after?.state !== 'waiting_approval') this.recordWait(call, after);
      if (after === undefined || !isOpen(after)) this.recordCall(call);
    }
  }

  private recordWait(call: Extract<Call, { state: 'waiting_approval' }>, after: Call | undefined): void {
    const outcome = this.outcomeOf(call.callId);
    const { callId, toolName, openedAtMs } = call;
    const parent = childOf(this.context, callId);
    this.record(
      `${callId} approval`,
      {
        name: 'approval_wait',
        startMs: openedAtMs ?? this.turn.phaseSinceMs,
        attributes: {
          ...{ 'gen_ai.tool.name': toolName, 'gen_ai.tool.call.id': callId },
          'codelab.approval.outcome': after?.state === 'ready' ? 'approved' : (outcome ?? 'cancelled'),
        },
      },
      parent.spanId,
    );
  }

  private recordCall({
    callId,
    toolName,
    openedAtMs,
    asked,
    fence,
    server,
    task,
  }: Extract<Call, { state: 'ready' | 'waiting_approval' }>): void {
    const outcome = this.outcomeOf(callId) ?? 'cancelled';
    this.record(callId, {
      name: `execute_tool ${toolName}`,
      startMs: openedAtMs ?? this.turn.phaseSinceMs,
      attributes: {
        ...{ 'gen_ai.operation.name': 'execute_tool', 'gen_ai.tool.name': toolName, 'gen_ai.tool.call.id': callId },
        'codelab.tool.runs_at': task ? 'child_session' : server ? 'server' : 'client',
        ...{ 'codelab.tool.asked': asked, 'codelab.tool.fence': fence, 'codelab.tool.outcome': outcome },
      },
      error: outcome === 'ok' ? undefined : outcome,
    });
  }

  private outcomeOf(id: string): string | undefined {
    const settled = this.step.advance.events.find((event) => event.kind === 'call_settled' && event.callId === id);
    return settled?.kind === 'call_settled' ? settled.outcome : undefined;
  }

  private record(
    id: string,
    span: Pick<Parameters<Tracing['record']>[0], 'name' | 'startMs' | 'attributes' | 'error'>,
    parentSpanId = this.context.spanId,
  ): void {
    const { ref, nowMs } = this.step;
    this.tracing.record({
      ...{ ...span, context: childOf(this.context, id), parentSpanId, endMs: nowMs },
      attributes: { ...span.attributes, 'codelab.turn.id': this.turn.turnId, 'gen_ai.conversation.id': ref.sessionId },
    });
  }
}

function recordTurn(tracing: Tracing, { ref, facts, nowMs }: TakenStep, { turn, turnId, status, code }: EndedTurn): void {
  const context = turn.trace?.isOwn ? readTraceparent(turn.trace.traceparent) : undefined;
  if (context === undefined) return;
  const parent = facts.program?.parent ?? facts.task?.parent;
  tracing.record({
    name: `invoke_agent ${turn.agent || 'default'}`,
    ...{ context, parentSpanId: turn.trace?.parentSpanId, startMs: turn.startedAtMs, endMs: nowMs, kind: 'consumer' },
    attributes: {
      ...{ 'gen_ai.operation.name': 'invoke_agent', 'gen_ai.agent.name': turn.agent, 'gen_ai.conversation.id': ref.sessionId },
      ...{ 'gen_ai.request.model': shownModel(turn), 'codelab.turn.id': turnId, 'codelab.turn.status': status },
      ...{ 'codelab.turn.model_requests': turn.rounds, 'codelab.turn.active_ms': turn.activeMs },
      ...{ 'gen_ai.usage.input_tokens': turn.usage.inputTokens, 'gen_ai.usage.output_tokens': turn.usage.outputTokens },
      ...{ 'codelab.parent_session.id': parent, 'codelab.session.kind': kindOf(facts) },
    },
    error: status === 'failed' ? (code ?? 'INTERNAL') : undefined,
  });
}

/** A child session works for a program or for a task of its parent's agent. */
const kindOf = ({ program, task }: Followed['facts']): string =>
  program !== undefined ? 'child of a program' : task !== undefined ? 'child of a task' : 'own';
