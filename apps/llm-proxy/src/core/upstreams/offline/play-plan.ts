import type { Plan } from './make-plan.js';
import type { Outcome, Play, Report, Task, ToolUse } from './task.js';

/** Where a plan stands after the outcomes so far. */
export type Standing =
  /** To be called next, side by side. `beginning`: the tasks whose first calls these are. */
  | { readonly kind: 'calls'; readonly calls: readonly ToolUse[]; readonly beginning: readonly Task[] }
  /** Everything is done, or something failed or was refused: `left` was not begun. */
  | { readonly kind: 'done'; readonly reports: readonly Report[]; readonly left: readonly Task[] };

interface Running {
  readonly task: Task;
  readonly play: Play;
  next: IteratorResult<ToolUse, Report>;
  begun: boolean;
}

/**
 * Plays a plan again from its beginning with the outcomes so far, and says what comes next. It keeps nothing in between: whoever has
 * the conversation can go on. Each call is made once, and nothing is begun after a failure.
 *
 * @param toModelName the name under which a tool was offered.
 */
export function playPlan({ stages }: Plan, outcomes: readonly Outcome[], toModelName: (tool: string) => string | undefined): Standing {
  const reports: Report[] = [];
  let used = 0;
  for (const [at, stage] of stages.entries()) {
    const running = stage.map(start);
    for (let waiting = running; waiting.length > 0; waiting = running.filter(({ next }) => !next.done)) {
      const calls = waiting.map(({ next }) => next.value as ToolUse);
      if (used >= outcomes.length)
        return { kind: 'calls', calls, beginning: waiting.filter(({ begun }) => !begun).map(({ task }) => task) };
      for (const each of waiting) {
        const use = each.next.value as ToolUse;
        each.begun = true;
        each.next = each.play.next(check(outcomes[used++], use, toModelName(use.tool)));
      }
    }
    const said = running.map(({ next }) => next.value as Report);
    reports.push(...said);
    if (said.some(({ failed, stop }) => failed === true || stop === true))
      return { kind: 'done', reports, left: stages.slice(at + 1).flat() };
  }
  return { kind: 'done', reports, left: [] };
}

function start(task: Task): Running {
  const play = task.play();
  return { task, play, next: play.next(), begun: false };
}

/** The outcome of `use`: that of another tool means that the conversation is not the one this plan began. */
function check(outcome: Outcome | undefined, use: ToolUse, modelName: string | undefined): Outcome {
  if (outcome?.tool === modelName && outcome !== undefined) return outcome;
  return { tool: use.tool, args: use.args, ok: false, code: 'OUTCOME_UNKNOWN', message: 'I lost track of what was called.' };
}
