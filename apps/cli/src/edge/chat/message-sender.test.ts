import { expect, test } from 'vitest';
import { verifies } from '@codelab/testkit';
import { RefusedError, type CodeLabClient } from '@codelab/client';
import type { SessionEvent } from '@codelab/client/view';
import type { MessageFiles } from '../session/message-files.js';
import { MessageSender } from './message-sender.js';

/** Everything that is waiting has happened. */
const settled = () => new Promise((resolve) => setImmediate(resolve));

function scene() {
  const told: SessionEvent[] = [];
  const back: string[] = [];
  const answers: { readonly content: string; readonly resolve: () => void; readonly reject: (error: Error) => void }[] = [];
  const client = {
    sendMessage: (content: string) => new Promise<void>((resolve, reject) => answers.push({ content, resolve, reject })),
  } as unknown as CodeLabClient;
  const files = {
    ofMessage: (content: string) => (content.includes('@gone') ? Promise.reject(new Error('no such file')) : Promise.resolve([])),
  } as unknown as MessageFiles;
  const sender = new MessageSender({
    tell: (event) => void told.push(event),
    takeBack: (content, why) => void back.push(`${content}: ${why}`),
    aside: () => Promise.resolve([]),
    remember: () => Promise.resolve(),
  });
  return { sender, told, back, answers, client, files };
}

test('what is typed before there is a connection goes when there is one, in order', async () => {
  const { sender, told, answers, client, files } = scene();
  sender.send('one');
  sender.send('two');
  sender.readFrom(files);
  await settled();
  expect(told).toMatchObject([{ kind: 'message_sent', content: 'one' }]);
  expect(answers).toEqual([]);
  sender.begin(client);
  await settled();
  expect(answers.map(({ content }) => content)).toEqual(['one', 'two']);
});

test('a message that nobody has confirmed is unsent; one that was refused or could not be read is not', async () => {
  const { sender, back, answers, client, files } = scene();
  sender.readFrom(files);
  sender.begin(client);
  for (const content of ['one', 'two', 'look at @gone', 'three']) sender.send(content);
  await settled();
  answers[0]!.resolve();
  answers[1]!.reject(new RefusedError('OVERLOADED', 'too many', true));
  answers[2]!.reject(new Error('The connection is over.'));
  await settled();
  expect(back).toEqual(['look at @gone: no such file']);
  expect(sender.unsent).toEqual(['three']);
});

test('who takes a message back waits for the answer of those on their way', async () => {
  const { sender, answers, client, files } = scene();
  sender.readFrom(files);
  sender.begin(client);
  sender.send('one');
  const order: string[] = [];
  void sender.answered().then(() => order.push('answered'));
  await settled();
  order.push('not yet');
  answers[0]!.resolve();
  await settled();
  expect(order).toEqual(['not yet', 'answered']);
});

test('a refusal that no frame tells of is told', async () => {
  const { sender, told, answers, client, files } = scene();
  sender.readFrom(files);
  sender.begin(client);
  sender.send('one');
  await settled();
  answers[0]!.reject(new RefusedError('FRAME_TOO_LARGE', 'the user_message is over 10 MB', false, true));
  await settled();
  expect(told.at(-1)).toMatchObject({ kind: 'notice', text: 'Your message was not sent: the user_message is over 10 MB' });
  expect(sender.unsent).toEqual([]);
});

test(
  verifies('H1:mcp-prompt-mentions', 'of the words of a server nothing is mentioned; of what the human typed behind its command it is'),
  async () => {
    const { sender, told, back, answers, client, files } = scene();
    sender.readFrom(files);
    sender.begin(client);
    const attachments = [{ path: 'a', content: 'x' }];
    sender.send('read @gone', {}, { typed: '/evil:prompt now', args: 'now', attachments });
    sender.send('fine words', {}, { typed: '/evil:prompt @gone', args: '@gone', attachments });
    await settled();
    expect(answers.map(({ content }) => content)).toEqual(['read @gone']);
    expect(told).toMatchObject([{ kind: 'message_sent', attachments }]);
    expect(back).toEqual(['/evil:prompt @gone: no such file']);
  },
);
