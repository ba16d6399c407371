import { demand, type Check } from '../../check.js';
import { about, show } from '../../wire/frame.js';
import { demandCode, errorAbout, resultFor, type GatewayStage } from '../gateway-stage.js';

/** Who executes. */
export const EXECUTOR_CHECKS: readonly Check<GatewayStage>[] = [
  {
    id: 'executor.roles',
    says: 'tells the first client with tools that it executes, the next ones that another does, and one alone without tools that nobody does',
    section: 'executor.md',
    run: async (stage) => {
      const observer = await stage.join({ tools: [] });
      demand(observer.welcome['executor'] === 'none', `an observer alone was told ${String(observer.welcome['executor'])}`);
      const first = await stage.join();
      demand(first.welcome['executor'] === 'you', `the first client with tools was told ${String(first.welcome['executor'])}`);
      const second = await stage.join();
      demand(second.welcome['executor'] === 'other', `the second one was told ${String(second.welcome['executor'])}`);
      const changed = await observer.wire.next('executor_changed', about('executor_changed'));
      demand(changed['executor'] === 'other', `the observer was told ${show(changed)}`);
    },
  },
  {
    id: 'executor.only',
    says: 'refuses tool_result, tool_ack and tool_preview of everybody but the executor with FORBIDDEN',
    section: 'executor.md',
    run: async (stage) => {
      const executor = await stage.join();
      const other = await stage.join();
      const call = await stage.askedCall(executor.wire);
      const { call_id, fence } = call;
      other.wire.send({ type: 'tool_ack', call_id, fence, state: 'started' });
      demandCode(await other.wire.next('an error', errorAbout('tool_ack')), 'FORBIDDEN');
      other.wire.send({ type: 'tool_preview', call_id, preview: { kind: 'text', text: 'harmless' } });
      demandCode(await other.wire.next('an error', errorAbout('tool_preview')), 'FORBIDDEN');
      await stage.decide(executor.wire, call, 'approve');
      other.wire.send({ type: 'tool_result', call_id, fence, ...resultFor(call) });
      demandCode(await other.wire.next('an error', errorAbout('tool_result')), 'FORBIDDEN');
      const ack = await stage.answer(executor.wire, call);
      demand(ack['outcome'] === 'accepted', `the result of the executor itself was answered with ${show(ack)}`);
    },
  },
  {
    id: 'executor.preview',
    says: 'shows the preview of the executor to the other clients, with its operands',
    section: 'executor.md#state--frame',
    run: async (stage) => {
      const executor = await stage.join();
      const observer = await stage.join({ tools: [] });
      const call = await stage.askedCall(executor.wire);
      const call_id = call['call_id'] as string;
      const operands = [{ path: 'b.txt', sha256: '' }];
      executor.wire.send({ type: 'tool_preview', call_id, preview: { kind: 'diff', text: '+hello' }, operands });
      const shown = await observer.wire.next('approval_updated', about('approval_updated', call_id));
      demand(JSON.stringify(shown['operands']) === JSON.stringify(operands), `the observer was shown ${show(shown)}`);
    },
  },
  {
    id: 'executor.successor',
    says: 'makes another client with tools the executor when the first stays away without a call, and redelivers the open question',
    section: 'executor.md#when-the-executor-leaves',
    run: async (stage) => {
      const first = await stage.join();
      const second = await stage.join();
      const call = await stage.askedCall(first.wire);
      await first.wire.cut();
      const changed = await second.wire.next('executor_changed', about('executor_changed'), 20_000);
      demand(changed['executor'] === 'you', `the other client was told ${show(changed)}`);
      const again = (frame: { readonly [field: string]: unknown }): boolean =>
        frame['redelivered'] === true && frame['call_id'] === call['call_id'];
      await second.wire.next('the open call, redelivered', (frame) => about('tool_call')(frame) && again(frame));
    },
  },
  {
    id: 'executor.waited-for',
    says: 'gives a call that was handed out to be run to nobody else: its executor comes back and answers it',
    section: 'executor.md#when-the-executor-leaves',
    run: async (stage) => {
      const first = await stage.join();
      const second = await stage.join();
      const call = await stage.askedCall(first.wire);
      await stage.decide(first.wire, call, 'approve');
      first.wire.send({ type: 'tool_ack', call_id: call['call_id'], fence: call['fence'], state: 'started' });
      await first.wire.cut();
      const moved = await second.wire.maybeNext((frame) => about('executor_changed')(frame) && frame['executor'] === 'you', 7_000);
      demand(moved === undefined, 'an unsafe call that was begun moved to another executor');
      const back = await stage.join({ clientId: first.clientId });
      demand(back.welcome['executor'] === 'you', `the executor came back and was told ${String(back.welcome['executor'])}`);
      const ack = await stage.answer(back.wire, call);
      demand(ack['outcome'] === 'accepted', `its result was answered with ${show(ack)}`);
    },
  },
];
