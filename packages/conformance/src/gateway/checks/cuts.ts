import { demand, type Check } from '../../check.js';
import { about, show } from '../../wire/frame.js';
import { errorAbout, type GatewayStage } from '../gateway-stage.js';
import { CUT, messageCountsOnce, resultCountsOnce } from '../losses.js';

/** The connection is lost right behind a frame, before its answer: sent again, it counts once. */
export const CUT_CHECKS: readonly Check<GatewayStage>[] = [
  {
    id: 'cut.at-message',
    says: 'counts a message once whose connection was lost before message_accepted, when it is sent again',
    section: 'executor.md#which-frames-to-send-again',
    run: (stage) => messageCountsOnce(stage, CUT),
  },
  {
    id: 'cut.at-decision',
    says: 'tells a decision whose connection was lost, or takes it when it is sent again; it counts once',
    section: 'executor.md#which-frames-to-send-again',
    run: async (stage) => {
      const first = await stage.join();
      const call = await stage.askedCall(first.wire);
      const decision = { type: 'hitl_decision', call_id: call['call_id'], decision: 'approve', args_sha256: call['args_sha256'] };
      await first.wire.sent(decision);
      await first.wire.cut();
      const { wire } = await stage.join({ clientId: first.clientId, resume: { epoch: first.welcome['epoch'], seq: call['seq'] } });
      wire.send(decision);
      const told = await wire.next(
        'approval_resolved, or ALREADY_RESOLVED',
        (frame) => about('approval_resolved')(frame) || errorAbout('hitl_decision')(frame),
      );
      const isKnown = told.type === 'approval_resolved' ? told['outcome'] === 'approved' : told['code'] === 'ALREADY_RESOLVED';
      demand(isKnown, `the repeated decision was answered with ${show(told)}`);
      const ack = await stage.answer(wire, call);
      demand(ack['outcome'] === 'accepted', show(ack));
    },
  },
  {
    id: 'cut.at-result',
    says: 'counts a result once whose connection was lost before tool_result_ack, when it is sent again',
    section: 'executor.md#which-frames-to-send-again',
    run: (stage) => resultCountsOnce(stage, CUT),
  },
];
