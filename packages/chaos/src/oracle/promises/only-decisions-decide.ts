import type { ChaosFrame } from '../../recording/chaos-event.js';
import { firstOfEach, groupBy } from '../grouping.js';
import { decisionOf, marksIn } from '../../workload/script/marks.js';
import type { Story, ToldFrame } from '../story.js';
import type { Finding, Promised } from '../violation.js';

interface Decided {
  readonly decision: string;
  readonly at: number;
  readonly remembers: boolean;
  readonly owner: string;
}

const OUTCOMES: Readonly<Record<string, string>> = { approved: 'approve', edited: 'edit', rejected: 'reject' };

export const onlyDecisionsDecide: Promised = {
  name: 'only-decisions-decide',
  says: 'A question is answered by a decision of its owner on the arguments that were shown, or by a rule that one made, and by nothing else; what waits for one does not run (H1, H2, H3).',
  *judge(story) {
    const decisions = decisionsOf(story);
    const resolved = story.told.filter(({ frame }) => frame.type === 'approval_resolved');
    for (const told of firstOfEach(resolved, ({ frame }) => `${String(frame['call_id'])} ${String(frame['at_ms'])}`))
      yield* withoutReason(told, decisions, story);
    yield* unasked(story, resolved, decisions);
    yield* neverAsked(story, decisions);
    yield* decidedAgain(story, resolved);
  },
};

/** What people decided, by owner and call. A decision on arguments that nobody was shown is none. */
function decisionsOf(story: Story): ReadonlyMap<string, readonly Decided[]> {
  const shown = new Set(
    story.told
      .filter(({ frame }) => frame.type === 'tool_call')
      .map(({ frame }) => `${String(frame['call_id'])} ${String(frame['args_sha256'])}`),
  );
  for (const { frame } of story.told.filter(({ frame: { type } }) => type === 'welcome'))
    for (const call of (frame['snapshot'] as { open_calls?: readonly ChaosFrame[] } | undefined)?.open_calls ?? [])
      shown.add(`${String(call['call_id'])} ${String(call['args_sha256'])}`);
  const isOnShown = ({ call_id: call, args_sha256: digest }: Readonly<Record<string, unknown>>): boolean =>
    digest === undefined || (typeof digest === 'string' && shown.has(`${String(call)} ${digest}`));
  const byFrame = story.said
    .filter(({ frame }) => frame.type === 'hitl_decision' && isOnShown(frame))
    .map(({ frame, owner, at }) => ({
      key: `${owner} ${String(frame['call_id'])}`,
      decision: String(frame['decision']),
      at,
      owner,
      remembers: frame['remember'] !== undefined,
    }));
  const byRest = story.of('rest').flatMap(({ method, path, request, observer, at }) => {
    if (method !== 'POST' || !path.endsWith('/decisions')) return [];
    const owner = observer.startsWith('rest/') ? observer.slice('rest/'.length) : (story.observer(observer)?.owner ?? '?');
    const { call_id: call, decision, args_sha256 } = request as { call_id: string; decision: string; args_sha256?: string };
    if (!isOnShown({ call_id: call, args_sha256 })) return [];
    return [{ key: `${owner} ${call}`, decision, at: at - REST_MS, owner, remembers: false }];
  });
  return groupBy([...byFrame, ...byRest], ({ key }) => key);
}

/** A request is recorded with its answer. */
const REST_MS = 4_000;

function* withoutReason(
  { frame, owner, session, at, index }: ToldFrame,
  decisions: ReadonlyMap<string, readonly Decided[]>,
  story: Story,
): Generator<Finding> {
  const decision = OUTCOMES[String(frame['outcome'])];
  const call = String(frame['call_id']);
  if (decision === undefined) return;
  const own = decisions.get(`${owner} ${call}`) ?? [];
  if (own.some((one) => one.decision === decision && one.at <= at)) return;
  const args = story.told.find(({ type, frame: one }) => type === 'tool_call' && one['call_id'] === call)?.frame['args'];
  const isByRule = frame['by'] === 'policy' && isCovered(args as CallArguments | undefined, owner, at, decisions);
  if (!isByRule)
    yield {
      text: `${call} of ${session} is ${String(frame['outcome'])} by ${String(frame['by'])}, and nobody decided that`,
      at,
      events: [index],
    };
}

interface CallArguments {
  readonly path?: string;
}

/** Whether a rule that its owner made allows it: the human of a run makes one, about `kept/`. */
const isCovered = (
  args: CallArguments | undefined,
  owner: string,
  at: number,
  decisions: ReadonlyMap<string, readonly Decided[]>,
): boolean =>
  args?.path?.startsWith('kept/') === true &&
  [...decisions.values()].flat().some((one) => one.remembers && one.owner === owner && one.at <= at);

/** What a human must be asked about does not run without a word of its owner, whatever the store has lost since. */
function* neverAsked(story: Story, decisions: ReadonlyMap<string, readonly Decided[]>): Generator<Finding> {
  for (const { callId, what, args, at, index, tool, observer } of story.of('run')) {
    const { owner = '?', role } = story.observer(observer) ?? {};
    const isAsked = marksIn(args).some((mark) => decisionOf(mark) !== 'none');
    if (what !== 'begin' || !isAsked || !(role === 'executor' || role === 'successor')) continue;
    const own = decisions.get(`${owner} ${callId}`) ?? [];
    const isDecided = own.some((one) => one.decision !== 'reject' && one.at <= at);
    if (!isDecided && !isCovered(args, owner, at, decisions))
      yield { text: `${callId} (${tool}) ran, and nobody of ${owner} had decided that`, at, events: [index] };
  }
}

/** An answer that everybody was told, or at least one that the owner gave: a log that begins anew shows the call as it is, without its past. */
function* unasked(story: Story, resolved: readonly ToldFrame[], decisions: ReadonlyMap<string, readonly Decided[]>): Generator<Finding> {
  const asked = groupBy(
    story.told.filter(({ frame }) => frame.type === 'tool_call' && frame['state'] === 'waiting_approval'),
    ({ frame }) => String(frame['call_id']),
  );
  const answers = groupBy(resolved, ({ frame }) => String(frame['call_id']));
  for (const { callId, what, at, index, tool, observer } of story.of('run')) {
    if (what !== 'begin' || !asked.has(callId)) continue;
    const outcomes = new Set((answers.get(callId) ?? []).map(({ frame }) => String(frame['outcome'])));
    const own = decisions.get(`${story.observer(observer)?.owner ?? '?'} ${callId}`) ?? [];
    // Where the store lost an answer, such as a cancel, the owner may have given another.
    if ((outcomes.size === 0 || story.mayBeLost(at)) && own.some((one) => one.decision !== 'reject' && one.at <= at)) continue;
    if (!outcomes.has('approved') && !outcomes.has('edited'))
      yield {
        text: `${callId} (${tool}) ran, and was ${[...outcomes].join(', ') || 'never decided'}`,
        at,
        events: [index, ...(asked.get(callId) ?? []).slice(0, 1).map((call) => call.index)],
      };
  }
}

/** A question is answered once, unless it is put again. */
function* decidedAgain(story: Story, resolved: readonly ToldFrame[]): Generator<Finding> {
  const questions = story.told.filter(({ frame }) => frame.type === 'tool_call' && frame['state'] === 'waiting_approval');
  const about = ({ session, epoch = '', frame }: ToldFrame): string => `${session} ${epoch} ${String(frame['call_id'])}`;
  const asked = groupBy(questions, about);
  const numbered = resolved.filter(({ frame }) => Number.isInteger(frame['seq']));
  for (const [call, answers] of groupBy(numbered, about)) {
    const [first, ...more] = firstOfEach(answers, ({ frame }) => String(frame['seq'])).toSorted((one, other) => seqOf(one) - seqOf(other));
    let before = first!;
    for (const answer of more) {
      const isAskedAgain = (asked.get(call) ?? []).some((question) => seqOf(question) > seqOf(before) && seqOf(question) < seqOf(answer));
      if (!isAskedAgain)
        yield {
          text: `${call} is ${String(before.frame['outcome'])}, and then ${String(answer.frame['outcome'])}`,
          at: answer.at,
          events: [before.index, answer.index],
        };
      before = answer;
    }
  }
}

const seqOf = ({ frame }: ToldFrame): number => Number(frame['seq']);
