import { demand, Skip, type Check } from '../../check.js';
import { PATIENCE } from '../../patience.js';
import { about, show } from '../../wire/frame.js';
import { startedOf } from './held-command.js';
import { demandResult } from '../scripted-session.js';
import type { ClientStage } from '../client-stage.js';

const WRITE = { args: { path: 'a.txt', content: 'one\n' }, asked: true } as const;

/** A gateway dies at the worst moments: what had no answer is sent again, and nothing happens twice. */
export const CUT_CHECKS: readonly Check<ClientStage>[] = [
  {
    id: 'cut.at-message',
    says: 'sends a user_message again, with the same message_id, when the gateway dies before message_accepted',
    section: 'executor.md#which-frames-to-send-again',
    run: async (stage) => {
      await stage.launch();
      const { session } = stage;
      session.acceptsMessages = false;
      await stage.rejoin({ withinMs: PATIENCE.startMs });
      const first = await session.peer.maybeNext(about('user_message'), 5_000);
      if (first === undefined) throw new Skip('the client says nothing by itself: let it send CODELAB_MESSAGE');
      demand(typeof first['message_id'] === 'string', 'a message without a message_id can not be sent again');
      session.peer.cut();
      session.acceptsMessages = true;
      await stage.rejoin();
      const again = await session.peer.next('the user_message again', about('user_message'));
      const isSame = again['message_id'] === first['message_id'] && again['content'] === first['content'];
      demand(isSame, `the message came again as ${show(again)}, it was ${show(first)}`);
    },
  },
  {
    id: 'cut.at-decision',
    says: 'decides again when the gateway dies before approval_resolved and the call still waits',
    section: 'executor.md#which-frames-to-send-again',
    run: async (stage) => {
      await stage.begin(['write_file']);
      const { session } = stage;
      const call = session.offer('write_file', WRITE);
      await session.decision(call);
      session.peer.cut();
      await stage.rejoin();
      await session.approve(call, { again: true });
      demandResult(await session.result(call));
      await stage.holds('a.txt', 'one\n', 'the call was not run');
    },
  },
  {
    id: 'cut.at-started',
    says: 'answers a call once, with its true result, when the gateway dies behind tool_ack started',
    section: 'executor.md#state--frame',
    run: async (stage) => {
      await stage.begin(['write_file']);
      const { session } = stage;
      const call = session.offer('write_file', WRITE);
      await session.approve(call);
      await session.peer.next('tool_ack started', startedOf(call.id));
      session.peer.cut();
      await stage.rejoin();
      demandResult(await session.result(call, { ack: false }));
      await stage.write('a.txt', 'changed since\n');
      session.peer.drop(startedOf(call.id)); // it may have run when it came again
      session.redeliver();
      await session.peer.refrains('start it again', startedOf(call.id));
      await stage.holds('a.txt', 'changed since\n', 'the call was run twice');
    },
  },
  {
    id: 'cut.at-result',
    says: 'sends a tool_result again, as it was, when the gateway dies before tool_result_ack',
    section: 'executor.md#which-frames-to-send-again',
    run: async (stage) => {
      await stage.begin(['write_file']);
      const { session } = stage;
      const call = session.offer('write_file', WRITE);
      await session.approve(call);
      const first = await session.result(call, { ack: false });
      demandResult(first);
      session.peer.cut();
      await session.peer.ended;
      await stage.write('a.txt', 'changed since\n');
      await stage.rejoin();
      const again = await session.result(call);
      demand(
        JSON.stringify(again['result']) === JSON.stringify(first['result']),
        `the result came again as ${show(again)}, it was ${show(first)}`,
      );
      await stage.holds('a.txt', 'changed since\n', 'the call was run twice');
    },
  },
  {
    id: 'cut.result-unasked',
    says: 'sends an unacknowledged tool_result again even if the call does not come again',
    section: 'executor.md#which-frames-to-send-again',
    run: async (stage) => {
      await stage.begin(['write_file']);
      const { session } = stage;
      const call = session.offer('write_file', WRITE);
      await session.approve(call);
      demandResult(await session.result(call, { ack: false }));
      session.forget(call);
      session.peer.cut();
      await stage.rejoin({ snapshot: true });
      demandResult(await session.result(call));
    },
  },
];
