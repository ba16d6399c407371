import { randomUUID } from 'node:crypto';
import { newId, type Handovers, type NewChild, type SessionMeta } from '@codelab/bus';
import { ApiError, type AnswerMeta, type ModelRequest } from '@codelab/llm';
import type { Accounting } from '../../accounting/accounting.js';
import { answerParts } from '../../serve/answer-parts.js';
import type { AskedModel } from '../../serve/asked-model.js';
import { failureWord } from '../../serve/failure.js';
import type { Exchange } from '../../serve/route.js';
import type { StepBase } from '../../step/to-model-request.js';
import { AutoRun, type AutoRunPorts } from './auto-run.js';
import { callersOf, type ToolPlan } from './plan-tools.js';
import { SESSION_HEADER, type ToolRunOptions } from './read-options.js';
import { spliceRounds } from './splice-rounds.js';
import { streamWhileRedisServes, whileRedisServes } from '../while-redis-serves.js';

export interface ServeAutoPorts extends Omit<AutoRunPorts, 'handovers'> {
  readonly handovers: Handovers;
  readonly accounting: Pick<Accounting, 'mayUse'>;
}

/** A request whose tools are run here, and where. */
export interface AutoAsked {
  readonly asked: AskedModel;
  readonly session: SessionMeta;
  readonly plan: ToolPlan;
  readonly options: ToolRunOptions;
}

/** Why an answer ended before the model was done; answers in one piece have it, streams say it in their last pieces. */
const STOP_HEADER = 'x-codelab-stop';

/** 32 MB: what is stored of a conversation. */
const MAX_BASE_BYTES = 32 * 1024 * 1024;

/** Answers a request by running its tools. Throws like the handler of a route. */
export async function serveAuto(exchange: Exchange, auto: AutoAsked, ports: ServeAutoPorts): Promise<void> {
  const { asked, session, plan } = auto;
  const { caller, facts } = exchange;
  const [{ model, upstream }] = asked.targets;
  Object.assign(facts, { upstream: upstream.name, model, sessionId: session.ref.sessionId, stream: asked.stream });
  if (!ports.accounting.mayUse(caller.owner, asked.name, model)) {
    throw new ApiError('forbidden', `the key may not use the model ${asked.name}`, { param: 'model' });
  }
  const { request, includeUsage, echo } = asked.decode();
  const meta: AnswerMeta = {
    ...{ id: `${asked.codec.answerId}${randomUUID().replaceAll('-', '')}`, model: asked.name },
    ...{ created: Math.floor(ports.now() / 1000), includeUsage, echo },
  };
  const run = new AutoRun(
    {
      ...{ parent: session.ref, serverTools: plan.serverTools, modelNames: plan.modelNames, signal: exchange.signal },
      child: { ...(await whileRedisServes(() => toChild(request, auto, ports))), traceparent: exchange.trace.traceparent },
      encodeProgress: (progress) => asked.codec.encodeProgress?.(meta, progress),
    },
    ports,
  );
  const headers = (): Record<string, string> => {
    const head = { [SESSION_HEADER]: session.ref.sessionId };
    return run.stop === undefined ? head : { ...head, [STOP_HEADER]: run.stop };
  };
  const end = await answerParts(exchange, streamWhileRedisServes(run.parts()), {
    dialect: asked.dialect,
    stream: asked.stream,
    meta,
    headers,
  });
  if (end.usage) facts.usage = end.usage;
  if (end.failure !== undefined) facts.error = failureWord(end.failure);
}

async function toChild(
  request: ModelRequest,
  { plan, session, asked, options }: AutoAsked,
  { handovers }: ServeAutoPorts,
): Promise<NewChild> {
  const { model: _, tools, toolChoice, messages, ...settings } = request;
  const { modelNames } = plan;
  const named = typeof toolChoice === 'object' ? { name: modelNames.get(toolChoice.name) ?? toolChoice.name } : toolChoice;
  const base: StepBase = {
    ...settings,
    messages: await spliceRounds(messages, session.ref.owner, handovers),
    toolChoice: named,
  };
  const text = JSON.stringify(base);
  if (Buffer.byteLength(text) > MAX_BASE_BYTES)
    throw new ApiError('too_large', 'The conversation, with the rounds before it, is over 32 MB.');
  return {
    ...{ sessionId: newId('ses'), turnId: newId('turn'), model: asked.name, base: text },
    callerTools: callersOf(tools, plan),
    serverTools: plan.serverTools.map(({ name, description, inputSchema }) => ({ name, description, parameters: inputSchema })),
    executorTools: plan.executorTools,
    maxToolRounds: options.maxToolRounds,
  };
}
