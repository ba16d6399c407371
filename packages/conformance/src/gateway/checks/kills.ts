import { demand, type Check } from '../../check.js';
import { about, show } from '../../wire/frame.js';
import type { GatewayStage } from '../gateway-stage.js';
import { KILLED, messageCountsOnce, resultCountsOnce } from '../losses.js';

/** A gateway that is killed, or asked to stop, loses nothing. These need `--kill` and `--drain`. */
export const KILL_CHECKS: readonly Check<GatewayStage>[] = [
  {
    id: 'kill.at-message',
    says: 'killed right behind a message: counts it once when it is sent again',
    section: 'executor.md#which-frames-to-send-again',
    run: (stage) => messageCountsOnce(stage, KILLED),
  },
  {
    id: 'kill.at-question',
    says: 'killed while a call waits: puts the same question again, and takes its decision',
    section: 'executor.md#open-calls-after-a-reconnect',
    run: async (stage) => {
      const first = await stage.join();
      const call = await stage.askedCall(first.wire);
      await stage.command('kill');
      await first.wire.ended;
      const { wire } = await stage.joinAgain({ clientId: first.clientId });
      const again = await wire.next('the redelivered call', about('tool_call', call['call_id'] as string));
      await stage.decide(wire, again, 'approve');
      await stage.answer(wire, again);
      const ended = await stage.ended(wire);
      demand(ended['status'] === 'completed', show(ended));
    },
  },
  {
    id: 'kill.at-started',
    says: 'killed while a call runs: takes the result of it afterwards',
    section: 'executor.md#which-frames-to-send-again',
    run: async (stage) => {
      const first = await stage.join();
      const call = await stage.askedCall(first.wire);
      await stage.decide(first.wire, call, 'approve');
      await first.wire.sent({ type: 'tool_ack', call_id: call['call_id'], fence: call['fence'], state: 'started' });
      await stage.command('kill');
      await first.wire.ended;
      const { wire, welcome } = await stage.joinAgain({ clientId: first.clientId });
      demand(welcome['executor'] === 'you', `the executor came back and was told ${String(welcome['executor'])}`);
      const ack = await stage.answer(wire, call);
      demand(ack['outcome'] === 'accepted', show(ack));
      await stage.ended(wire);
    },
  },
  {
    id: 'kill.at-result',
    says: 'killed right behind a result: counts it once when it is sent again',
    section: 'executor.md#which-frames-to-send-again',
    run: (stage) => resultCountsOnce(stage, KILLED),
  },
  {
    id: 'kill.drain',
    says: 'asked to stop: says drain, closes with 4000, and the session goes on after it',
    section: 'connecting.md#ends',
    run: async (stage) => {
      const { wire, clientId } = await stage.join();
      const call = await stage.askedCall(wire);
      await stage.command('drain');
      const drain = await wire.next('drain', about('drain'));
      demand(typeof drain['retry_after_ms'] === 'number', show(drain));
      const { code } = await wire.ended;
      demand(code === 4000, `the connection ended with ${String(code)}`);
      const back = await stage.joinAgain({ clientId });
      await back.wire.next('the redelivered call', about('tool_call', call['call_id'] as string));
    },
  },
];
