import { demand, type Check } from '../../check.js';
import { PATIENCE } from '../../patience.js';
import { show } from '../../wire/frame.js';
import { beginHeld, startedOf } from './held-command.js';
import { demandError, demandResult } from '../scripted-session.js';
import type { ClientStage } from '../client-stage.js';

/** What `resume.calls` says of a call. */
function evidence(stage: ClientStage, callId: string): string | undefined {
  const resume = stage.hello['resume'] as { readonly calls?: readonly { call_id: string; state: string }[] } | undefined;
  return resume?.calls?.find(({ call_id }) => call_id === callId)?.state;
}

/** Takes a while to write, so that a kill can come in between. */
const LONG = 'x'.repeat(900_000);

/** What `kill -9` of the client leaves. */
export const JOURNAL_CHECKS: readonly Check<ClientStage>[] = [
  {
    id: 'journal.asking',
    says: 'asks again about a call that waited when the client was killed',
    section: 'executor.md#the-journal',
    run: async (stage) => {
      await stage.begin(['write_file']);
      const { session } = stage;
      const call = session.offer('write_file', { args: { path: 'a.txt', content: 'one\n' }, asked: true });
      await session.decision(call);
      await stage.kill();
      await stage.restart();
      await session.approve(call, { again: true });
      demandResult(await session.result(call));
      await stage.holds('a.txt', 'one\n', 'the call was not run');
    },
  },
  {
    id: 'journal.begun',
    says: 'killed in the middle of an unsafe call: tells it as unknown in resume.calls, answers OUTCOME_UNKNOWN, and does not run it again',
    section: 'executor.md#the-journal',
    run: async (stage) => {
      const call = await beginHeld(stage);
      const { session } = stage;
      await stage.appears('ran.txt');
      await stage.kill();
      await stage.restart();
      const state = evidence(stage, call.id);
      demand(state === 'unknown', `resume.calls says ${state ?? 'nothing'} of a call that was begun before the kill, not unknown`);
      demandError(await session.result(call), 'OUTCOME_UNKNOWN');
      await stage.holds('ran.txt', 'ran\n', 'the command was run again');
    },
  },
  {
    id: 'journal.at-started',
    says: 'killed right behind tool_ack started: tells the call as unknown or done, answers OUTCOME_UNKNOWN or how it ended, and does not run it again',
    section: 'executor.md#the-journal',
    run: async (stage) => {
      await stage.begin(['write_file']);
      const { session } = stage;
      const call = session.offer('write_file', { args: { path: 'a.txt', content: LONG }, asked: true });
      await session.approve(call);
      await session.peer.next('tool_ack started', startedOf(call.id));
      await stage.kill();
      const written = await stage.read('a.txt');
      demand(written === undefined || written === LONG, 'a write that was killed left a part of the file');
      await stage.write('a.txt', 'changed since\n');
      await stage.restart();
      const state = evidence(stage, call.id);
      const result = await session.result(call);
      if (state === 'unknown') demandError(result, 'OUTCOME_UNKNOWN');
      else if (state === 'done') demandResult(result);
      else demand(false, `resume.calls says ${state ?? 'nothing'} of a call that was begun before the kill, not unknown or done`);
      demand(state !== 'done' || written === LONG, 'the journal has the end of a write that was not done');
      await stage.holds('a.txt', 'changed since\n', 'the call was run again');
    },
  },
  {
    id: 'journal.ended',
    says: 'killed behind the end of an unsafe call: tells it as done in resume.calls, answers it from the journal, and does not run it again',
    section: 'executor.md#the-journal',
    run: async (stage) => {
      await stage.begin(['write_file']);
      const { session } = stage;
      const call = session.offer('write_file', { args: { path: 'a.txt', content: 'one\n' }, asked: true });
      await session.approve(call);
      const first = await session.result(call, { ack: false });
      demandResult(first);
      await stage.kill();
      await stage.write('a.txt', 'changed since\n');
      await stage.restart();
      const state = evidence(stage, call.id);
      demand(state === 'done', `resume.calls says ${state ?? 'nothing'} of a call whose end was journalled, not done`);
      const again = await session.result(call);
      const isSame = JSON.stringify(again['result']) === JSON.stringify(first['result']);
      demand(isSame, `the journal answered ${show(again)}, the call had ended with ${show(first)}`);
      await stage.holds('a.txt', 'changed since\n', 'the call was run again');
    },
  },
  {
    id: 'journal.fence',
    says: 'answers from the journal with the fence that the call has now',
    section: 'executor.md#the-journal',
    run: async (stage) => {
      await stage.begin(['write_file']);
      const { session } = stage;
      const call = session.offer('write_file', { args: { path: 'a.txt', content: 'one\n' } });
      await session.result(call, { ack: false });
      await stage.kill();
      await stage.write('a.txt', 'changed since\n');
      call.fence = 2;
      await stage.launch();
      await stage.rejoin({ snapshot: true, withinMs: PATIENCE.startMs });
      const fits = ({ type, call_id, fence }: { readonly type: string; readonly [field: string]: unknown }): boolean =>
        type === 'tool_result' && call_id === call.id && fence === 2;
      await session.peer.next('the result with the new fence', fits);
      await stage.holds('a.txt', 'changed since\n', 'the call was run again');
    },
  },
  {
    id: 'journal.safe',
    says: 'runs a safe call again after kill -9',
    section: 'executor.md#the-journal',
    run: async (stage) => {
      await stage.begin(['read_file']);
      await stage.write('a.txt', 'alpha\n');
      const { session } = stage;
      const call = session.offer('read_file', { args: { path: 'a.txt' } });
      await session.result(call, { ack: false });
      await stage.kill();
      await stage.restart();
      demandResult(await session.result(call));
    },
  },
];
