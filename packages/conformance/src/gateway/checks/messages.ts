import { randomUUID } from 'node:crypto';
import { demand, type Check } from '../../check.js';
import { about, show } from '../../wire/frame.js';
import { demandCode, errorAbout, type GatewayStage } from '../gateway-stage.js';

/** Messages and turns. */
export const MESSAGE_CHECKS: readonly Check<GatewayStage>[] = [
  {
    id: 'message.once',
    says: 'counts a message that comes twice under one message_id once, and answers both in the same way',
    section: 'executor.md#which-frames-to-send-again',
    run: async (stage) => {
      const { wire } = await stage.join();
      const id = randomUUID();
      const first = await stage.say(wire, 'read a.txt', id);
      const again = await stage.say(wire, 'read a.txt', id);
      demand(first['turn_id'] === again['turn_id'], `the repeat was answered with another turn: ${show(again)}`);
      const call = await stage.called(wire, 'read_file');
      await stage.answer(wire, call);
      await stage.ended(wire);
      await wire.next('turn_started', about('turn_started'));
      await wire.hearsNo('a second turn for the same message', about('turn_started'));
      demand(wire.received.filter(about('turn_started')).length === 1, 'the message started two turns');
    },
  },
  {
    id: 'message.other-text',
    says: 'refuses another text under the message_id of an earlier message with INVALID_FIELD',
    section: 'executor.md#which-frames-to-send-again',
    run: async (stage) => {
      const { wire } = await stage.join();
      const id = randomUUID();
      await stage.say(wire, 'read a.txt', id);
      wire.send({ type: 'user_message', message_id: id, content: 'read b.txt' });
      demandCode(await wire.next('an error', errorAbout('user_message')), 'INVALID_FIELD');
    },
  },
  {
    id: 'message.turn',
    says: 'brackets a turn by one turn_started and one turn_ended, and ends its text once with is_final and the whole content',
    section: 'executor.md',
    run: async (stage) => {
      const { wire } = await stage.join();
      const call = await stage.call(wire, 'read a.txt', 'read_file');
      await stage.answer(wire, call);
      const ended = await stage.ended(wire);
      demand(ended['status'] === 'completed', `the turn ended as ${show(ended)}`);
      const { received } = wire;
      const finals = received.filter((frame) => frame.type === 'assistant_message' && frame['is_final'] === true);
      demand(finals.length === 1, `there were ${String(finals.length)} final texts`);
      const id = finals[0]?.['message_id'];
      const tokens = received
        .filter((frame) => frame.type === 'assistant_message' && frame['message_id'] === id)
        .map(({ token }) => String(token));
      demand(finals[0]?.['content'] === tokens.join(''), 'content of the final frame is not the text that was streamed');
      const count = (type: string): number => received.filter(about(type)).length;
      demand(count('turn_started') === 1 && count('turn_ended') === 1, 'a turn begins once and ends once');
    },
  },
  {
    id: 'message.cancel',
    says: 'ends a cancelled turn with turn_ended cancelled, tells the executor by tool_cancel, and takes its late result',
    section: 'executor.md#after-tool_cancel',
    run: async (stage) => {
      const { wire } = await stage.join();
      const accepted = await stage.say(wire, 'read a.txt');
      const call = await stage.called(wire, 'read_file');
      wire.send({ type: 'tool_ack', call_id: call['call_id'], fence: call['fence'], state: 'started' });
      wire.send({ type: 'cancel', turn_id: accepted['turn_id'] });
      await wire.next('tool_cancel', about('tool_cancel', call['call_id'] as string));
      const ended = await stage.ended(wire);
      demand(ended['status'] === 'cancelled', `the turn ended as ${show(ended)}`);
      const ack = await stage.answer(wire, call);
      demand(['accepted', 'duplicate'].includes(String(ack['outcome'])), `the late result was answered with ${show(ack)}`);
    },
  },
  {
    id: 'message.cancel-nothing',
    says: 'answers a cancel of a turn that does not run with UNKNOWN_TURN',
    section: 'executor.md#which-frames-to-send-again',
    run: async (stage) => {
      const { wire } = await stage.join();
      wire.send({ type: 'cancel', turn_id: 'turn_of_nobody' });
      demandCode(await wire.next('an error', errorAbout('cancel')), 'UNKNOWN_TURN');
    },
  },
];
