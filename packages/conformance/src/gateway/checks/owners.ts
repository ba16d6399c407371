import { demand, Skip, type Check } from '../../check.js';
import { show } from '../../wire/frame.js';
import { demandCode, errorAbout, resultFor, type GatewayStage } from '../gateway-stage.js';

/** A session is its owner's. This needs `--other-token`. */
export const OWNER_CHECKS: readonly Check<GatewayStage>[] = [
  {
    id: 'owner.apart',
    says: 'gives another person a session of their own under the same name: no frame, no call and no decision crosses',
    section: 'connecting.md#the-address',
    run: async (stage) => {
      const token = stage.gateway.otherToken;
      if (token === undefined) throw new Skip('nobody gave the token of another person: --other-token TOKEN');
      const owner = await stage.join();
      const call = await stage.askedCall(owner.wire);
      const other = await stage.join({ token });
      demand(other.welcome['executor'] === 'you', 'the other person sees an executor that is not theirs');
      const snapshot = other.welcome['snapshot'] as { readonly history: readonly object[]; readonly open_calls: readonly object[] };
      demand(snapshot.history.length === 0 && snapshot.open_calls.length === 0, `the other person was shown ${show(snapshot)}`);
      const { call_id, args_sha256, fence } = call;
      other.wire.send({ type: 'hitl_decision', call_id, args_sha256, decision: 'approve' });
      demandCode(await other.wire.next('an error', errorAbout('hitl_decision')), 'UNKNOWN_CALL');
      other.wire.send({ type: 'tool_result', call_id, fence, ...resultFor(call) });
      demandCode(await other.wire.next('an error', errorAbout('tool_result')), 'UNKNOWN_CALL');
      await stage.decide(owner.wire, call, 'approve');
    },
  },
];
