import { expect, test } from 'vitest';
import type { ChaosEventBody, ChaosFrame, ObserverRole } from '../recording/chaos-event.js';
import { OpenMessages } from './open-messages.js';

const begin = () => {
  const messages = new OpenMessages();
  const happen = (event: ChaosEventBody): void => messages.take({ at: 0, ...event });
  const join = (observer: string, role: ObserverRole): void => happen({ kind: 'observer', observer, role, owner: 'ada', session: 's1' });
  const say = (observer: string, direction: 'in' | 'out', frame: ChaosFrame): void =>
    happen({ kind: 'frame', observer, connection: 1, direction, frame });
  join('client-1/s1', 'executor');
  join('spy/s1', 'thief');
  return { messages, happen, say };
};
const MESSAGE = { type: 'user_message', message_id: 'm', content: 'go' };

test.each<[string, ChaosFrame, boolean]>([
  ['is accepted', { type: 'message_accepted', message_id: 'm' }, false],
  ['is refused', { type: 'error', reply_to_type: 'user_message', reply_to: 'm', retryable: false }, false],
  ['is to be sent again', { type: 'error', reply_to_type: 'user_message', reply_to: 'm', retryable: true }, true],
  ['is another than was accepted', { type: 'message_accepted', message_id: 'other' }, true],
])('a message that %s', (_what, answer, isOpen) => {
  const { messages, say } = begin();
  expect(messages.areIn('s1')).toBe(false);
  say('client-1/s1', 'out', MESSAGE);
  expect(messages.areIn('s1')).toBe(true);
  expect(messages.areIn('s2')).toBe(false);
  say('client-1/s1', 'in', answer);
  expect(messages.areIn('s1')).toBe(isOpen);
});

test('goes with the process that said it, and a thief says none', () => {
  const { messages, happen, say } = begin();
  say('spy/s1', 'out', MESSAGE);
  expect(messages.areIn('s1')).toBe(false);
  say('client-1/s1', 'out', MESSAGE);
  happen({ kind: 'process', name: 'client-1', pid: 1, what: 'exited' });
  expect(messages.areIn('s1')).toBe(false);
});
