import type { ContextUse, StepAnswer } from '@codelab/bus';
import { renameMessage, sayFinal } from '../model/stream-text.js';
import { tellAgain, tellNews } from '../prompt/tell-news.js';
import { tellStanding } from '../prompt/tell-standing.js';
import type { StepBuilder } from '../turn/step-builder.js';
import type { Compacting, Step } from '../turn/turn-state.js';

/** Keeps how full the window was with an answer, and what its model was shown less of: the next one is shown the same. */
export function takeContext(builder: StepBuilder, use: ContextUse | undefined): void {
  if (use === undefined) return;
  const { cut, ...context } = use;
  builder.learn(context);
  if (cut === undefined) return;
  builder.remember({ role: 'cut', up_to: cut.upTo, limit: cut.limit, at_ms: builder.nowMs });
  builder.dropReads(cut.upTo);
}

/**
 * Takes a summary of what is older: it stands in its place from the next request on, which follows at once. One that the user asked for ends the
 * turn. A cancelled turn keeps it: it is true, and paid for.
 */
export function takeSummary(
  builder: StepBuilder,
  compacting: Compacting,
  { step, answer }: { readonly step: Step; readonly answer: StepAnswer },
): void {
  const { summary } = answer;
  if (summary !== undefined) {
    const { upTo, mechanical } = summary;
    builder.remember({ role: 'summary', up_to: upTo, content: answer.text, mechanical, at_ms: builder.nowMs });
    builder.dropReads(upTo);
    tellAgain(builder);
    tellStanding(builder);
    if (compacting.byCommand !== true && !builder.isCancelled) tellNews(builder); // what the lost notes said, at once
  }
  builder.change({ squeezed: (builder.runningTurn.squeezed ?? 0) + 1 });
  if (builder.isCancelled) return;
  const message = renameMessage(step, () => builder.context.newId('msg'));
  if (compacting.byCommand !== true) return builder.enter({ kind: 'retrying', atMs: builder.nowMs, message });
  sayFinal(builder, message, summary === undefined ? NOTHING_TO_DO : DONE);
}

const DONE = 'The conversation so far was summed up; its record stays as it was.';
const NOTHING_TO_DO = 'There is nothing to sum up yet.';
