import type { StepRequest, StoredRequest } from '@codelab/bus';
import type { StepBuilder } from '../turn/step-builder.js';
import { seesTools } from '../uses/tell-uses.js';
import { askForLastWords } from '../tasks/task-budget.js';
import { findAgent } from './agent-modes.js';
import { promptOf } from './offered-tools.js';
import { tellInstructions, toldOf } from '../prompt/tell-news.js';
import { traceparentOf } from '../tracing/turn-trace.js';
import { takeSteered } from '../inputs/apply-message.js';
import { writeResults } from '../calls/settle-call.js';
import type { SessionFacts } from '../session/session-facts.js';
import type { MessageName } from '../turn/turn-state.js';

/**
 * Asks the model for the next part of the turn: results and steered messages go into the history before, so that the request sees them,
 * in the same commit.
 * @param lastWords what the turn has used up, where nothing runs after this request
 */
export function askModel(builder: StepBuilder, lastWords?: string): void {
  const { facts, newId } = builder.context;
  const { phase } = builder.runningTurn;
  if (phase.kind === 'calling') writeResults(builder);
  if (phase.kind === 'calling') tellInstructions(builder);
  const steered = takeSteered(builder);
  if (lastWords !== undefined && builder.runningTurn.lastWords === undefined) tellUsedUp(builder, lastWords);
  const compacting = 'compacting' in phase ? (phase.compacting ?? steered) : steered;
  const repeated = phase.kind === 'retrying';
  const message: MessageName = repeated ? phase.message : { messageId: newId('msg') };
  const turn = builder.runningTurn;
  const { context } = builder.state;
  const stepId = newId('step');
  const prompt = promptOf(facts, turn, toldOf(builder));
  const request: StoredRequest = {
    turnId: turn.turnId,
    messageId: message.messageId,
    model: turn.model,
    agent: findAgent(facts, turn.agent).name,
    vocabulary: turn.vocabulary,
    historyVersion: builder.historyVersion,
    prompt: prompt.hash,
    ...(context && { context: { model: context.model, scale: context.scale, window: context.window } }),
    squeezed: turn.squeezed,
    compact: compacting && { mechanical: compacting.mechanical, focus: compacting.focus, whole: compacting.byCommand },
    callsUnseen: seesTools(builder) ? undefined : true,
    ...ofProgram(facts),
    traceparent: traceparentOf(turn.trace, stepId),
  };
  builder.modelRequest = { stepId, request: JSON.stringify(request), prompt };
  builder.enter({ kind: 'asking', step: { stepId, ...message, compacting, attempt: 0, shown: 0, begun: {}, text: '', flushedAtMs: 0 } });
  builder.change({ rounds: turn.rounds + (repeated || compacting !== undefined ? 0 : 1) });
  builder.events.push({ kind: 'model_asked', stepId });
}

const tellUsedUp = (builder: StepBuilder, lastWords: string): void => {
  builder.remember({ role: 'note', content: askForLastWords(lastWords), at_ms: builder.nowMs });
  builder.change({ lastWords });
};

/** What a request says more of a turn that a program began. */
const ofProgram = ({ program }: SessionFacts): Pick<StepRequest, 'origin' | 'hasBase' | 'parent'> => {
  if (program === undefined) return {};
  return { origin: 'proxy', hasBase: true, parent: program.parent };
};
