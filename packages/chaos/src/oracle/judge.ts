import type { ChaosEvent } from '../recording/chaos-event.js';
import { inTimeOrder } from '../recording/read-recording.js';
import type { Canary } from '../workload/script/owners.js';
import { backToBase } from './promises/back-to-base.js';
import { cancelInTime } from './promises/cancel-in-time.js';
import { effectsAtMostOnce } from './promises/effects-at-most-once.js';
import { historyIsTrue } from './promises/history-is-true.js';
import { logAgrees } from './promises/log-agrees.js';
import { logInOrder } from './promises/log-in-order.js';
import { lossesAreTold } from './promises/losses-are-told.js';
import { modelIsTold } from './promises/model-is-told.js';
import { nothingIsLost } from './promises/nothing-is-lost.js';
import { oneCallPerUse } from './promises/one-call-per-use.js';
import { oneResult } from './promises/one-result.js';
import { onlyDecisionsDecide } from './promises/only-decisions-decide.js';
import { ownersApart } from './promises/owners-apart.js';
import { readyIsTrue } from './promises/ready-is-true.js';
import { requestsAreAnswered } from './promises/requests-are-answered.js';
import { resultsAreTrue } from './promises/results-are-true.js';
import { runsAsDecided } from './promises/runs-as-decided.js';
import { secretsStay } from './promises/secrets-stay.js';
import { servicesLive } from './promises/services-live.js';
import { sessionsRest } from './promises/sessions-rest.js';
import { textIsWhole } from './promises/text-is-whole.js';
import { turnsEndOnce } from './promises/turns-end-once.js';
import { upstreamAccepts } from './promises/upstream-accepts.js';
import { tellStory } from './story.js';
import type { Promised, Violation } from './violation.js';

/** Everything that is judged. They know docs/protocol and docs/architecture.md, and nothing of the code. */
export const PROMISES: readonly Promised[] = [
  ...[turnsEndOnce, sessionsRest, nothingIsLost, lossesAreTold, logInOrder, logAgrees, textIsWhole],
  ...[effectsAtMostOnce, resultsAreTrue, oneCallPerUse, oneResult, onlyDecisionsDecide, runsAsDecided],
  ...[
    upstreamAccepts,
    modelIsTold,
    historyIsTrue,
    cancelInTime,
    requestsAreAnswered,
    ownersApart,
    secretsStay,
    readyIsTrue,
    servicesLive,
    backToBase,
  ],
];

/** What a judgement has to know beside the events. */
export interface Expectations {
  /** What was planted to be looked for. */
  readonly canaries: readonly Canary[];
}

/** What a run broke. Pure: the same events are judged the same. Indexes are those of the events as they were given. */
export function judge(events: readonly ChaosEvent[], { canaries }: Expectations): Violation[] {
  const ordered = inTimeOrder(events);
  const story = tellStory(ordered, canaries);
  const places = new Map(events.map((event, index) => [event, index]));
  return PROMISES.flatMap(({ name, judge: of }) =>
    [...of(story)].map((finding) => ({
      ...{ promise: name, ...finding },
      events: finding.events.flatMap((index) => places.get(ordered[index]!) ?? []),
    })),
  );
}
