import type { Check } from '../../check.js';
import { sha256, type ClientStage } from '../client-stage.js';
import { demandResult } from '../scripted-session.js';
import { demandMismatch } from './mismatch.js';

const CHANGED = { before: 'old\n', meanwhile: 'changed\n' } as const;

/** The same call, asked anew. */
export const REASK_CHECKS: readonly Check<ClientStage>[] = [
  ...([true, false] as const).map((ack) => ({
    id: ack ? 'reask.after-ack' : 'reask.before-ack',
    says: `asks anew when the call comes again undecided after APPROVAL_MISMATCH, ${ack ? 'behind' : 'before'} its tool_result_ack, and runs it once approved`,
    section: 'executor.md#asked-anew',
    run: async (stage: ClientStage) => {
      const call = await demandMismatch(stage, { ...CHANGED, ack });
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
      const call = await demandMismatch(stage, CHANGED);
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
      const call = await demandMismatch(stage, { told: { digest: sha256('others') } });
      const { session } = stage;
      session.askAnew(call);
      await session.approve(call, { again: true });
      demandResult(await session.result(call));
      await stage.holds('a.txt', 'mine\n', 'the call was not run');
    },
  },
];
