import { argsDigest } from '@codelab/tools';
import { demand, type Check } from '../../check.js';
import { about, show } from '../../wire/frame.js';
import { demandCode, errorAbout, resultFor, type GatewayStage } from '../gateway-stage.js';

const OTHER = argsDigest({ path: 'other.txt', content: 'other' });

/** Only a decision frame decides, and only for the arguments that it names. */
export const DECISION_CHECKS: readonly Check<GatewayStage>[] = [
  {
    id: 'decision.undecided-result',
    says: 'refuses the result of a call that nobody decided with FORBIDDEN, and the call still waits',
    section: 'executor.md#state--frame',
    run: async (stage) => {
      const { wire } = await stage.join();
      const call = await stage.askedCall(wire);
      wire.send({ type: 'tool_result', call_id: call['call_id'], fence: call['fence'], ...resultFor(call) });
      demandCode(await wire.next('an error', errorAbout('tool_result')), 'FORBIDDEN');
      await stage.decide(wire, call, 'approve');
    },
  },
  {
    id: 'decision.digest',
    says: 'refuses a decision that names another digest with DIGEST_MISMATCH, and the call still waits',
    section: 'executor.md#the-digest',
    run: async (stage) => {
      const { wire } = await stage.join();
      const call = await stage.askedCall(wire);
      wire.send({ type: 'hitl_decision', call_id: call['call_id'], decision: 'approve', args_sha256: OTHER });
      demandCode(await wire.next('an error', errorAbout('hitl_decision')), 'DIGEST_MISMATCH');
      const resolved = await stage.decide(wire, call, 'approve');
      demand(resolved['outcome'] === 'approved' && resolved['args_sha256'] === call['args_sha256'], show(resolved));
    },
  },
  {
    id: 'decision.edit',
    says: 'tells an edit with its arguments and their digest by RFC 8785, whatever their text was',
    section: 'executor.md#the-digest',
    run: async (stage) => {
      const { wire } = await stage.join();
      const call = await stage.askedCall(wire);
      const ids = `"call_id":${JSON.stringify(call['call_id'])},"args_sha256":${JSON.stringify(call['args_sha256'])}`;
      wire.send(`{"type":"hitl_decision",${ids},"decision":"edit","modified_args": { "path" : "b.txt", "content" : "\\u0068\\u20ac\\/" }}`);
      const resolved = await wire.next('approval_resolved', about('approval_resolved'));
      demand(resolved['outcome'] === 'edited', show(resolved));
      const args = { path: 'b.txt', content: 'h€/' };
      demand(argsDigest(resolved['args']) === argsDigest(args), `the edited arguments came as ${show(resolved)}`);
      demand(resolved['args_sha256'] === argsDigest(args), `the digest of the edit is ${String(resolved['args_sha256'])}`);
      await stage.answer(wire, { ...call, args });
    },
  },
  {
    id: 'decision.bad-edit',
    says: 'refuses an edit whose arguments do not fit the tool with INVALID_ARGUMENTS, and the call still waits',
    section: 'executor.md#the-digest',
    run: async (stage) => {
      const { wire } = await stage.join();
      const call = await stage.askedCall(wire);
      const { call_id, args_sha256 } = call;
      wire.send({ type: 'hitl_decision', call_id, args_sha256, decision: 'edit', modified_args: { path: 7 } });
      demandCode(await wire.next('an error', errorAbout('hitl_decision')), 'INVALID_ARGUMENTS');
      await stage.decide(wire, call, 'approve');
    },
  },
  {
    id: 'decision.twice',
    says: 'answers a second decision with ALREADY_RESOLVED, and the first one stands',
    section: 'executor.md#which-frames-to-send-again',
    run: async (stage) => {
      const { wire } = await stage.join();
      const call = await stage.askedCall(wire);
      await stage.decide(wire, call, 'approve');
      wire.send({ type: 'hitl_decision', call_id: call['call_id'], decision: 'reject', args_sha256: call['args_sha256'] });
      demandCode(await wire.next('an error', errorAbout('hitl_decision')), 'ALREADY_RESOLVED');
      const ack = await stage.answer(wire, call);
      demand(ack['outcome'] === 'accepted', `the result of the approved call was answered with ${show(ack)}`);
    },
  },
  {
    id: 'decision.observer',
    says: 'takes the decision of an observer, and tells every client of it',
    section: 'executor.md',
    run: async (stage) => {
      const executor = await stage.join();
      const observer = await stage.join({ tools: [] });
      const call = await stage.askedCall(executor.wire);
      await observer.wire.next('the call', about('tool_call'));
      await stage.decide(observer.wire, call, 'approve');
      const told = await executor.wire.next('approval_resolved', about('approval_resolved'));
      demand(told['outcome'] === 'approved', `the executor was told ${show(told)}`);
      await stage.answer(executor.wire, call);
    },
  },
  {
    id: 'decision.reject',
    says: 'ends a rejected call without a result, and goes on with the turn',
    section: 'executor.md#state--frame',
    run: async (stage) => {
      const { wire } = await stage.join();
      const call = await stage.askedCall(wire);
      const resolved = await stage.decide(wire, call, 'reject', { feedback: 'not here' });
      demand(resolved['outcome'] === 'rejected', show(resolved));
      await stage.ended(wire);
    },
  },
  {
    id: 'decision.no-human',
    says: 'takes a reject for lack of a human, and no other decision with no_human',
    section: 'executor.md#state--frame',
    run: async (stage) => {
      const { wire } = await stage.join();
      const call = await stage.askedCall(wire);
      const { call_id, args_sha256 } = call;
      wire.send({ type: 'hitl_decision', call_id, args_sha256, decision: 'approve', no_human: true });
      demandCode(await wire.next('an error', errorAbout('hitl_decision')), 'INVALID_FIELD');
      const resolved = await stage.decide(wire, call, 'reject', { no_human: true });
      demand(resolved['outcome'] === 'rejected', show(resolved));
      await stage.ended(wire);
    },
  },
  {
    id: 'decision.words',
    says: 'takes no message for a decision, whatever it says',
    section: 'executor.md#state--frame',
    run: async (stage) => {
      const { wire } = await stage.join();
      const call = await stage.askedCall(wire);
      await stage.say(wire, 'yes, approve it');
      await wire.hearsNo('a decision that nobody made', about('approval_resolved', call['call_id'] as string));
      await stage.decide(wire, call, 'approve');
    },
  },
];
