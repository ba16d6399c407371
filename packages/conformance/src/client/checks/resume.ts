import { demand, type Check } from '../../check.js';
import { demandResult } from '../scripted-session.js';
import type { ClientStage } from '../client-stage.js';

const text = { type: 'assistant_message', message_id: 'm1', token: 'word ', is_final: false } as const;

/** Where a client goes on. */
export const RESUME_CHECKS: readonly Check<ClientStage>[] = [
  {
    id: 'resume.position',
    says: 'resumes with the epoch and the last seq that it handled, and takes the replay',
    section: 'connecting.md#seq-gaps-epochs',
    run: async (stage) => {
      await stage.begin(['write_file']);
      const { session } = stage;
      for (let i = 0; i < 3; i += 1) session.write(text);
      await session.peer.hasRead();
      session.peer.cut();
      await session.peer.ended;
      const call = session.offer('write_file', { args: { path: 'a.txt', content: 'one\n' }, asked: true });
      const last = session.seq - 1;
      await stage.rejoin();
      const { epoch, seq } = stage.resume;
      demand(epoch === session.epoch, `resume names the epoch ${String(epoch)}, welcome named ${session.epoch}`);
      demand(seq === last, `resume names ${String(seq)}, the last frame that was read is ${String(last)}`);
      await session.approve(call);
      demandResult(await session.result(call));
    },
  },
  {
    id: 'resume.wrong-epoch',
    says: 'takes the epoch and the number of a welcome with recovered: false, and counts from there',
    section: 'connecting.md#hello-and-welcome',
    run: async (stage) => {
      await stage.begin(['write_file']);
      const { session } = stage;
      for (let i = 0; i < 5; i += 1) session.write(text);
      await session.peer.hasRead();
      session.peer.cut();
      await session.peer.ended;
      session.startAnew();
      session.write(text);
      await stage.rejoin(); // another epoch: a snapshot
      const call = session.offer('write_file', { args: { path: 'a.txt', content: 'one\n' } });
      demandResult(await session.result(call));
      session.peer.cut();
      await stage.rejoin();
      const { epoch, seq } = stage.resume;
      demand(
        epoch === session.epoch && seq === session.seq,
        `resume is ${JSON.stringify({ epoch, seq })}, the new log is ${session.epoch} and stands at ${String(session.seq)}`,
      );
    },
  },
  {
    id: 'resume.second-welcome',
    says: 'takes a second welcome on a living connection: forgets what it had, goes on from the snapshot',
    section: 'connecting.md#hello-and-welcome',
    run: async (stage) => {
      await stage.begin(['write_file']);
      const { session, hello } = stage;
      const gone = session.offer('write_file', { args: { path: 'gone.txt', content: 'x' }, asked: true });
      await session.decision(gone);
      session.forget(gone);
      session.write(text, null);
      session.peer.send({ type: 'error', code: 'SLOW_READER', message: 'a snapshot follows', retryable: true });
      session.welcome(hello, { snapshot: true });
      session.resolve(gone, 'approved');
      const call = session.offer('write_file', { args: { path: 'a.txt', content: 'one\n' }, asked: true });
      await session.approve(call);
      demandResult(await session.result(call));
      await stage.holds('gone.txt', undefined, 'a call was run that the snapshot no longer has');
      const again = await stage.server.maybeNext(0);
      demand(again === undefined, 'the client connected again instead of taking the snapshot');
    },
  },
];
