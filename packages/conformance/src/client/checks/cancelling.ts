import { demand, type Check } from '../../check.js';
import { about } from '../../wire/frame.js';
import { beginHeld, beginHeldBefore } from './held-command.js';
import { demandError, demandResult, errorOf } from '../scripted-session.js';
import type { ClientStage } from '../client-stage.js';

const cancelOf = (callId: string): object => ({ type: 'tool_cancel', call_id: callId, reason: 'cancelled' });

/** A call that is called off. */
export const CANCEL_CHECKS: readonly Check<ClientStage>[] = [
  {
    id: 'cancel.asking',
    says: 'closes the prompt of a cancelled call, sends nothing and runs nothing',
    section: 'executor.md#state--frame',
    run: async (stage) => {
      await stage.begin(['write_file']);
      const { session } = stage;
      const call = session.offer('write_file', { args: { path: 'a.txt', content: 'x' }, asked: true });
      await session.decision(call);
      session.forget(call);
      session.write(cancelOf(call.id));
      session.resolve(call, 'approved');
      await session.leavesAlone(call, ['tool_result']);
      await stage.holds('a.txt', undefined, 'a cancelled call was run');
    },
  },
  {
    id: 'cancel.waiting',
    says: 'does not begin a call that is cancelled while it waits for its turn, and answers CANCELLED',
    section: 'executor.md#state--frame',
    run: async (stage) => {
      const [first, second] = await beginHeldBefore(stage);
      const { session } = stage;
      session.write(cancelOf(second.id));
      demandError(await session.result(second), 'CANCELLED');
      await stage.remove('hold');
      demandResult(await session.result(first));
      await stage.holds('a.txt', undefined, 'a cancelled call was run');
    },
  },
  {
    id: 'cancel.running',
    says: 'stops a running tool at once and answers how it ended',
    section: 'executor.md#after-tool_cancel',
    run: async (stage) => {
      const call = await beginHeld(stage, { then: '; echo finished >> ran.txt' });
      const { session } = stage;
      await stage.appears('ran.txt');
      session.write(cancelOf(call.id));
      const result = await session.result(call);
      const code = errorOf(result);
      demand(code === undefined || code === 'CANCELLED' || code === 'OUTCOME_UNKNOWN', `a stopped tool answered ${String(code)}`);
      await stage.remove('hold');
      await session.peer.refrains('answer twice', about('tool_result', call.id));
      await stage.holds('ran.txt', 'ran\n', 'the tool went on after it was cancelled');
    },
  },
  {
    id: 'cancel.late',
    says: 'leaves the true result of a call as it is when tool_cancel comes behind it, and sends that again after a cut',
    section: 'executor.md#after-tool_cancel',
    run: async (stage) => {
      await stage.begin(['write_file']);
      const { session } = stage;
      const call = session.offer('write_file', { args: { path: 'a.txt', content: 'one\n' }, asked: true });
      await session.approve(call);
      demandResult(await session.result(call, { ack: false }));
      session.forget(call);
      session.write(cancelOf(call.id));
      await session.peer.refrains('answer a second time', about('tool_result', call.id));
      session.peer.cut();
      await stage.rejoin();
      demandResult(await session.result(call));
      await stage.holds('a.txt', 'one\n', 'the effect is gone');
    },
  },
];
