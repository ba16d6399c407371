import type { Draw } from '../plan/draw.js';
import type { WireObserver } from './observer/wire-observer.js';
import type { SeenCall } from './observer/session-state.js';
import type { RestClient } from './rest-client.js';
import { decisionOf, marksIn } from './script/marks.js';

/** Time for which the other human keeps at a decision by REST. */
const INSIST_MS = 20_000;

/** The human at an observer: decides what the one at the executor leaves to others, by frames or by REST. */
export function decideWhatIsLeft(observer: WireObserver, rest: RestClient, draw: Draw): () => void {
  const taken = new Set<string>();
  const timers = new Set<NodeJS.Timeout>();
  // Drawn by the mark, so that a repeat of the seed decides alike, in whatever order it is asked.
  const drawOf = ({ args, callId }: SeenCall): Draw => draw.fork(marksIn(args)[0] ?? callId);
  const decide = (call: SeenCall, byRest: boolean): void => {
    const { callId, digest } = call;
    const its = drawOf(call);
    const isApproved = its.chance(75);
    const isContested = its.chance(40);
    const about = { call_id: callId, args_sha256: digest };
    const fields = { ...about, decision: isApproved ? 'approve' : 'reject' };
    if (!byRest) return void observer.ask({ type: 'hitl_decision', ...fields });
    const say = (decision: object): void =>
      void rest.insist('POST', `/api/v1/sessions/${observer.options.session}/decisions`, decision, INSIST_MS);
    say(fields);
    if (isContested) say({ ...about, decision: isApproved ? 'reject' : 'approve' }); // somebody else, in the same moment
  };
  const look = (): void => {
    for (const call of observer.state.calls.values()) {
      const decider = decisionOf(marksIn(call.args)[0]);
      const isMine = call.state === 'waiting_approval' && (decider === 'watcher' || decider === 'rest');
      if (!isMine || taken.has(call.callId)) continue;
      taken.add(call.callId);
      const timer = setTimeout(
        () => {
          timers.delete(timer);
          decide(call, decider === 'rest');
        },
        drawOf(call).fork('thought').integer(100, 500),
      );
      timers.add(timer);
    }
  };
  const stop = observer.listen((frame) => {
    // Who begins anew may see a question again that was decided: the store has lost the decision.
    if (frame.type === 'welcome' && frame['recovered'] === false) taken.clear();
    look();
  });
  return () => {
    stop();
    for (const timer of timers) clearTimeout(timer);
  };
}
