import { demand, type Check } from '../../check.js';
import { about } from '../../wire/frame.js';
import { demandResult } from '../scripted-session.js';
import type { ClientStage } from '../client-stage.js';

const WRITE = { args: { path: 'a.txt', content: 'one\n' }, asked: true } as const;

/** Errors about a result, and errors that are none about it. */
export const RESULT_CHECKS: readonly Check<ClientStage>[] = [
  {
    id: 'result.retryable',
    says: 'sends a tool_result again, after a pause, when it was refused with retryable: true',
    section: 'connecting.md#errors',
    run: async (stage) => {
      await stage.begin(['write_file']);
      const { session } = stage;
      const call = session.offer('write_file', WRITE);
      await session.approve(call);
      await session.result(call, { ack: false });
      const refusal = { type: 'error', code: 'UNAVAILABLE', message: 'the store is away', retryable: true };
      session.peer.send({ ...refusal, reply_to: call.id, reply_to_type: 'tool_result' });
      demandResult(await session.result(call));
    },
  },
  {
    id: 'result.refused',
    says: 'does not send a tool_result again that was refused for good',
    section: 'executor.md#state--frame',
    run: async (stage) => {
      await stage.begin(['write_file']);
      const { session } = stage;
      const call = session.offer('write_file', WRITE);
      await session.approve(call);
      await session.result(call, { ack: false });
      session.forget(call);
      const refusal = { type: 'error', code: 'UNKNOWN_CALL', message: 'no such call', retryable: false };
      session.peer.send({ ...refusal, reply_to: call.id, reply_to_type: 'tool_result' });
      await session.peer.hasRead();
      session.peer.cut();
      await stage.rejoin();
      await session.peer.refrains('send the refused result again', about('tool_result', call.id));
    },
  },
  {
    id: 'result.other-errors',
    says: 'does not take an error about tool_ack or tool_preview for the answer to the result',
    section: 'connecting.md#errors',
    run: async (stage) => {
      await stage.begin(['write_file']);
      const { session } = stage;
      const call = session.offer('write_file', WRITE);
      await session.approve(call);
      await session.result(call, { ack: false });
      for (const reply_to_type of ['tool_ack', 'tool_preview'])
        session.peer.send({ type: 'error', code: 'FORBIDDEN', message: 'no', retryable: false, reply_to: call.id, reply_to_type });
      await session.peer.hasRead();
      session.forget(call);
      session.peer.cut();
      await stage.rejoin();
      const again = await session.peer.maybeNext(about('tool_result', call.id), 5_000);
      demand(again !== undefined, 'the result was not sent again: an error about another frame was taken for its answer');
    },
  },
];
