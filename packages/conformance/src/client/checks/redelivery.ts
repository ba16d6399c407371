import { demand, type Check } from '../../check.js';
import { beginHeld, startedOf } from './held-command.js';
import { demandResult } from '../scripted-session.js';
import type { ClientStage } from '../client-stage.js';

/** Every call counts once, however often it is told. */
export const REDELIVERY_CHECKS: readonly Check<ClientStage>[] = [
  {
    id: 'redelivery.once',
    says: 'counts a call of the snapshot and of three redelivered frames once: it takes effect once',
    section: 'executor.md#open-calls-after-a-reconnect',
    run: async (stage) => {
      await stage.begin(['write_file']);
      const { session } = stage;
      session.peer.cut();
      await session.peer.ended;
      const call = session.offer('write_file', { args: { path: 'a.txt', content: 'one\n' }, asked: true });
      await stage.rejoin({ snapshot: true, times: 3 });
      await session.approve(call);
      session.redeliver();
      demandResult(await session.result(call, { ack: false }));
      await stage.write('a.txt', 'changed since\n');
      session.peer.drop(startedOf(call.id));
      session.redeliver();
      await session.peer.refrains('start it again', startedOf(call.id));
      await stage.holds('a.txt', 'changed since\n', 'the call was run twice');
    },
  },
  {
    id: 'redelivery.running',
    says: 'acknowledges a call that comes again while it runs as started, and does not run it twice',
    section: 'executor.md#state--frame',
    run: async (stage) => {
      const call = await beginHeld(stage);
      const { session } = stage;
      session.redeliver();
      session.redeliver();
      await session.peer.next('tool_ack started for the call that came again', startedOf(call.id));
      await stage.remove('hold');
      demandResult(await session.result(call));
      await stage.holds('ran.txt', 'ran\n', 'the command ran more than once');
    },
  },
  {
    id: 'redelivery.over',
    says: 'gives a question up that is neither in the snapshot nor redelivered',
    section: 'executor.md#open-calls-after-a-reconnect',
    run: async (stage) => {
      await stage.begin(['write_file']);
      const { session } = stage;
      const call = session.offer('write_file', { args: { path: 'a.txt', content: 'one\n' }, asked: true });
      await session.decision(call);
      session.peer.cut();
      await session.peer.ended;
      session.forget(call);
      await stage.rejoin({ snapshot: true });
      session.resolve(call, 'approved');
      await session.leavesAlone(call, ['tool_result']);
      await stage.holds('a.txt', undefined, 'a call was run that was over');
    },
  },
  {
    id: 'redelivery.fence',
    says: 'answers with the fence of the last tool_call frame',
    section: 'executor.md#state--frame',
    run: async (stage) => {
      await stage.begin(['write_file']);
      const { session } = stage;
      const call = session.offer('write_file', { args: { path: 'a.txt', content: 'one\n' }, asked: true });
      await session.decision(call);
      call.fence = 2;
      session.redeliver();
      await session.peer.hasRead();
      session.resolve(call, 'approved');
      const result = await session.result(call);
      demand(result['fence'] === 2, 'the result has the fence of an older assignment');
    },
  },
];
