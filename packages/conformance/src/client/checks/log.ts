import { demand, type Check } from '../../check.js';
import { about } from '../../wire/frame.js';
import { demandResult } from '../scripted-session.js';
import type { ClientStage } from '../client-stage.js';

const text = (token: string): object => ({ type: 'assistant_message', message_id: 'm1', token, is_final: false });

/** Frames in the order of their numbers, each once. */
export const LOG_CHECKS: readonly Check<ClientStage>[] = [
  {
    id: 'log.repeat',
    says: 'passes over frames whose seq it has handled: a repeated approval decides nothing, a repeated call is not run',
    section: 'connecting.md#seq-gaps-epochs',
    run: async (stage) => {
      await stage.begin(['write_file']);
      const { session } = stage;
      const call = session.offer('write_file', { args: { path: 'a.txt', content: 'one\n' }, asked: true });
      await session.decision(call);
      const approved = session.resolve(call, 'approved');
      session.peer.send(approved);
      session.peer.send(approved);
      demandResult(await session.result(call));
      await stage.write('a.txt', 'changed since\n');
      session.peer.send(call.frame({ seq: call.seq }));
      session.peer.send(approved);
      await session.leavesAlone(call, ['tool_result', 'hitl_decision']);
      await stage.holds('a.txt', 'changed since\n', 'a repeated frame made the call run again');
    },
  },
  {
    id: 'log.gap',
    says: 'connects again with resume when a frame is missing, and runs nothing from behind the gap before',
    section: 'connecting.md#seq-gaps-epochs',
    run: async (stage) => {
      await stage.begin(['write_file']);
      const { session } = stage;
      session.write(text('one'));
      session.write(text('two'), null); // lost
      const { peer } = session;
      const call = session.offer('write_file', { args: { path: 'a.txt', content: 'one\n' } });
      const before = session.seq - 2;
      await stage.rejoin();
      const resume = stage.resume;
      demand(
        resume.epoch === session.epoch && resume.seq === before,
        `resume is ${JSON.stringify(resume)}, the last frame was ${String(before)}`,
      );
      const early = peer.received.some(about('tool_result', call.id));
      demand(!early, 'a call from behind the gap was answered before the missing frame was there');
      demandResult(await session.result(call));
      await stage.holds('a.txt', 'one\n', 'the call was lost with the gap');
    },
  },
  {
    id: 'log.reordered',
    says: 'takes frames that come in another order for a gap',
    section: 'connecting.md#seq-gaps-epochs',
    run: async (stage) => {
      await stage.begin(['write_file']);
      const { session } = stage;
      const first = session.write(text('one'), null);
      const second = session.write(text('two'), null);
      session.peer.send(second);
      session.peer.send(first);
      await stage.rejoin();
      demand(stage.resume.seq === session.seq - 2, `resume is ${JSON.stringify(stage.resume)}, nothing was handled of the two frames`);
    },
  },
  {
    id: 'log.prev-seq',
    says: 'takes prev_seq for the bridge over frames that were left out for it, and stays connected',
    section: 'connecting.md#seq-gaps-epochs',
    run: async (stage) => {
      await stage.begin(['write_file']);
      const { session } = stage;
      session.write(text('one'));
      for (let i = 0; i < 5; i += 1) session.write(text('left out'), null);
      session.write(
        text('last'),
        `${JSON.stringify(text('last')).slice(0, -1)},"seq":${String(session.seq + 1)},"prev_seq":${String(session.seq - 5)}}`,
      );
      const call = session.offer('write_file', { args: { path: 'a.txt', content: 'one\n' } });
      demandResult(await session.result(call));
      const again = await stage.server.maybeNext(0);
      demand(again === undefined, 'the client connected again: it took the bridge for a gap');
      session.peer.cut();
      await stage.rejoin();
      demand(stage.resume.seq === session.seq, `resume is ${JSON.stringify(stage.resume)}, the last frame was ${String(session.seq)}`);
    },
  },
  {
    id: 'log.prev-seq-gap',
    says: 'takes a prev_seq that is ahead of it for a gap',
    section: 'connecting.md#seq-gaps-epochs',
    run: async (stage) => {
      await stage.begin(['write_file']);
      const { session } = stage;
      session.write(text('one'));
      for (let i = 0; i < 3; i += 1) session.write(text('lost'), null);
      session.write(
        text('last'),
        `${JSON.stringify(text('last')).slice(0, -1)},"seq":${String(session.seq + 1)},"prev_seq":${String(session.seq - 1)}}`,
      );
      await stage.rejoin();
      demand(stage.resume.seq === session.seq - 4, `resume is ${JSON.stringify(stage.resume)}, the client has ${String(session.seq - 4)}`);
    },
  },
];
