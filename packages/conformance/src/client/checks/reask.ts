import type { Check } from '../../check.js';
import { sha256, type ClientStage } from '../client-stage.js';
import { demandError, demandResult } from '../scripted-session.js';

/** Lets a call fail with `APPROVAL_MISMATCH`, because its file changed. */
async function mismatch(stage: ClientStage, ack: boolean) {
  await stage.begin(['write_file']);
  await stage.write('a.txt', 'old\n');
  const { session } = stage;
  const call = session.offer('write_file', { args: { path: 'a.txt', content: 'mine\n' }, asked: true });
  await session.decision(call);
  await stage.write('a.txt', 'changed\n');
  session.resolve(call, 'approved');
  demandError(await session.result(call, { ack }), 'APPROVAL_MISMATCH');
  return call;
}

/** The same call, asked anew. */
export const REASK_CHECKS: readonly Check<ClientStage>[] = [
  ...([true, false] as const).map((ack) => ({
    id: ack ? 'reask.after-ack' : 'reask.before-ack',
    says: `asks anew when the call comes again undecided after APPROVAL_MISMATCH, ${ack ? 'behind' : 'before'} its tool_result_ack, and runs it once approved`,
    section: 'executor.md#asked-anew',
    run: async (stage: ClientStage) => {
      const call = await mismatch(stage, ack);
      const { session } = stage;
      session.askAnew(call);
      if (!ack) session.peer.send({ type: 'tool_result_ack', call_id: call.id, outcome: 'accepted' });
      await session.approve(call, { again: true });
      demandResult(await session.result(call));
      await stage.holds('a.txt', 'mine\n', 'the call that was approved the second time was not run');
    },
  })),
  {
    id: 'reask.after-kill',
    says: 'asks anew after kill -9, too: the journal does not answer a call that ended with APPROVAL_MISMATCH and comes again undecided',
    section: 'executor.md#the-journal',
    run: async (stage) => {
      const call = await mismatch(stage, true);
      const { session } = stage;
      await stage.kill();
      session.askAnew(call);
      await stage.restart();
      await session.approve(call, { again: true });
      demandResult(await session.result(call));
      await stage.holds('a.txt', 'mine\n', 'the call that was approved the second time was not run');
    },
  },
  {
    id: 'reask.digest',
    says: 'asks anew after tampered arguments, and runs the true ones',
    section: 'executor.md#asked-anew',
    run: async (stage) => {
      await stage.begin(['write_file']);
      const { session } = stage;
      const call = session.offer('write_file', { args: { path: 'a.txt', content: 'mine\n' }, asked: true });
      await session.decision(call);
      session.resolve(call, 'approved', { digest: sha256('others') });
      demandError(await session.result(call), 'APPROVAL_MISMATCH');
      session.askAnew(call);
      await session.approve(call, { again: true });
      demandResult(await session.result(call));
      await stage.holds('a.txt', 'mine\n', 'the call was not run');
    },
  },
];
