import { demand, type Check } from '../../check.js';
import { about } from '../../wire/frame.js';
import { demandError, demandResult } from '../scripted-session.js';
import type { ClientStage } from '../client-stage.js';
import { beginHeld, beginHeldBefore, startedOf } from './held-command.js';

/** Who runs what, and in which order. */
export const EXECUTOR_CHECKS: readonly Check<ClientStage>[] = [
  {
    id: 'executor.runs',
    says: 'runs a ready call: received, started, one result, each with the fence of the call',
    section: 'executor.md#state--frame',
    run: async (stage) => {
      await stage.begin(['read_file']);
      await stage.write('a.txt', 'alpha\n');
      const { session } = stage;
      const call = session.offer('read_file', { args: { path: 'a.txt' } });
      const result = await session.result(call);
      demandResult(result);
      const content = (result['result'] as { readonly content?: string }).content;
      demand(content === 'alpha\n', `read_file gave ${JSON.stringify(content)}, not the content of the file`);
      const mine = session.peer.received.filter((frame) => frame['call_id'] === call.id);
      const order = mine.map(({ type, state }) => (type === 'tool_ack' ? String(state) : type)).join(' ');
      demand(order === 'received started tool_result', `there came: ${order}`);
      demand(
        mine.every(({ fence }) => fence === 1),
        'a frame about the call lacks its fence',
      );
    },
  },
  {
    id: 'executor.unknown-tool',
    says: 'answers a tool that it has not with TOOL_NOT_FOUND',
    section: 'executor.md#state--frame',
    run: async (stage) => {
      await stage.begin();
      demandError(await stage.session.result(stage.session.offer('brew_tea', { args: {} })), 'TOOL_NOT_FOUND');
    },
  },
  {
    id: 'executor.other',
    says: 'runs nothing while another client executes, ready calls included',
    section: 'executor.md',
    run: async (stage) => {
      await stage.begin([], { executor: 'other' });
      const { session } = stage;
      const call = session.offer('write_file', { args: { path: 'a.txt', content: 'x' } });
      const read = session.offer('read_file', { args: { path: 'a.txt' } });
      await session.leavesAlone(call, ['tool_ack', 'tool_preview', 'tool_result']);
      await session.leavesAlone(read, ['tool_ack', 'tool_preview', 'tool_result']);
      await stage.holds('a.txt', undefined, 'a call was run that is another executor’s');
    },
  },
  {
    id: 'executor.moved-away',
    says: 'does not run an approved call once the executor is another',
    section: 'executor.md#state--frame',
    run: async (stage) => {
      await stage.begin(['write_file']);
      const { session } = stage;
      const call = session.offer('write_file', { args: { path: 'a.txt', content: 'x' }, asked: true });
      await session.decision(call);
      session.peer.send({ type: 'executor_changed', executor: 'other' });
      session.resolve(call, 'approved');
      await session.peer.refrains('answer a call that is another executor’s', about('tool_result', call.id));
      await stage.holds('a.txt', undefined, 'a call was run that is another executor’s');
    },
  },
  {
    id: 'executor.moved-here',
    says: 'runs the calls that are redelivered when it becomes the executor',
    section: 'executor.md#when-the-executor-leaves',
    run: async (stage) => {
      await stage.begin(['write_file'], { executor: 'other' });
      const { session } = stage;
      const call = session.offer('write_file', { args: { path: 'a.txt', content: 'x' }, asked: true });
      session.peer.send({ type: 'executor_changed', executor: 'you' });
      session.redeliver();
      await session.approve(call);
      demandResult(await session.result(call));
      await stage.holds('a.txt', 'x', 'the call was not run');
    },
  },
  {
    id: 'executor.server-call',
    says: 'does not run or answer a call with runs_at: server',
    section: 'executor.md',
    run: async (stage) => {
      await stage.begin(['write_file']);
      const { session } = stage;
      const call = session.offer('write_file', { args: { path: 'a.txt', content: 'x' }, runsAt: 'server' });
      await session.leavesAlone(call);
      await stage.holds('a.txt', undefined, 'a call of the servers was run');
    },
  },
  {
    id: 'executor.in-turn',
    says: 'runs unsafe calls one after another, in the order of their coming',
    section: 'executor.md#state--frame',
    run: async (stage) => {
      const [first, second] = await beginHeldBefore(stage);
      const { session } = stage;
      await session.peer.refrains('start the second unsafe call while the first one runs', startedOf(second.id));
      await stage.holds('a.txt', undefined, 'the second unsafe call ran beside the first one');
      await stage.remove('hold');
      demandResult(await session.result(first));
      demandResult(await session.result(second));
      await stage.holds('a.txt', 'x', 'the second call was not run');
    },
  },
  {
    id: 'executor.deadline',
    says: 'stops a tool at its deadline_ms, counted from started, and answers TIMEOUT',
    section: 'executor.md#state--frame',
    run: async (stage) => {
      demandError(await stage.session.result(await beginHeld(stage, { deadlineMs: 700 })), 'TIMEOUT');
    },
  },
];
