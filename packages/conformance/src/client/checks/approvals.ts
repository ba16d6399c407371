import { demand, type Check } from '../../check.js';
import { about, show } from '../../wire/frame.js';
import { demandResult } from '../scripted-session.js';
import type { ClientStage } from '../client-stage.js';

const WRITE = { args: { path: 'a.txt', content: 'one\n' }, asked: true } as const;

/** Nothing runs before it was decided, and then exactly what was decided. */
export const APPROVAL_CHECKS: readonly Check<ClientStage>[] = [
  {
    id: 'approval.waits',
    says: 'previews a call that waits, decides with its digest, and runs it when approval_resolved comes, not before',
    section: 'executor.md#state--frame',
    run: async (stage) => {
      await stage.begin(['write_file']);
      const { session } = stage;
      const call = session.offer('write_file', WRITE);
      await session.decision(call);
      const preview = session.peer.received.find(about('tool_preview', call.id));
      demand(preview !== undefined, 'no tool_preview came before the decision');
      await session.leavesAlone(call, ['tool_result']);
      await stage.holds('a.txt', undefined, 'the call ran on the client’s own decision, before approval_resolved');
      session.resolve(call, 'approved');
      demandResult(await session.result(call));
      await stage.holds('a.txt', 'one\n', 'the approved call was not run');
    },
  },
  {
    id: 'approval.elsewhere',
    says: 'runs a call that somebody else approved, at another client',
    section: 'executor.md#state--frame',
    run: async (stage) => {
      await stage.begin(['write_file']);
      const { session } = stage;
      const call = session.offer('write_file', WRITE);
      await session.peer.next('tool_ack received', about('tool_ack', call.id));
      session.resolve(call, 'approved');
      demandResult(await session.result(call));
      await stage.holds('a.txt', 'one\n', 'the approved call was not run');
    },
  },
  ...(['rejected', 'expired', 'cancelled'] as const).map((outcome) => ({
    id: `approval.${outcome}`,
    says: `sends nothing and runs nothing when the question ends as ${outcome}`,
    section: 'executor.md#state--frame',
    run: async (stage: ClientStage) => {
      await stage.begin(['write_file']);
      const { session } = stage;
      const call = session.offer('write_file', WRITE);
      await session.decision(call);
      session.resolve(call, outcome);
      await session.leavesAlone(call, ['tool_result']);
      await stage.holds('a.txt', undefined, `a call was run that was ${outcome}`);
    },
  })),
  {
    id: 'approval.edited',
    says: 'runs the arguments of approval_resolved after an edit, not those that were shown',
    section: 'executor.md#state--frame',
    run: async (stage) => {
      await stage.begin(['write_file']);
      const { session } = stage;
      const call = session.offer('write_file', WRITE);
      await session.decision(call);
      session.resolve(call, 'edited', { args: { path: 'a.txt', content: 'two\n' } });
      demandResult(await session.result(call));
      await stage.holds('a.txt', 'two\n', 'other arguments were run than the edited ones');
    },
  },
  {
    id: 'approval.decided-meanwhile',
    says: 'runs a call that comes again as ready, because it was decided while the client was away',
    section: 'executor.md#state--frame',
    run: async (stage) => {
      await stage.begin(['write_file']);
      const { session } = stage;
      const call = session.offer('write_file', WRITE);
      await session.decision(call);
      session.peer.cut();
      await session.peer.ended;
      session.resolve(call, 'approved');
      await stage.rejoin();
      demandResult(await session.result(call));
      await stage.holds('a.txt', 'one\n', 'the call was not run');
    },
  },
  {
    id: 'approval.no-human',
    says: 'approves nothing where it has no human: it rejects with no_human, or leaves the decision to others',
    section: 'executor.md#state--frame',
    run: async (stage) => {
      await stage.begin(['write_file'], { approve: 'none' });
      const { session } = stage;
      const call = session.offer('write_file', WRITE);
      await session.peer.next('tool_ack received', about('tool_ack', call.id));
      const decision = await session.peer.maybeNext(about('hitl_decision', call.id), 1_500);
      if (decision !== undefined) {
        demand(decision['decision'] === 'reject', `without a human the client sent ${show(decision)}`);
        demand(decision['no_human'] === true, 'a reject for lack of a human says no_human: true, or the model reads that the user refused');
        session.resolve(call, 'rejected');
      }
      await session.leavesAlone(call, ['tool_result']);
      await stage.holds('a.txt', undefined, 'a call was run that nobody approved');
    },
  },
];
