import { expect, test } from 'vitest';
import { SimulatedSession, verifies } from '@codelab/testkit';
import { Scene } from '../__fixtures__/scene.js';

test(verifies('L3:context-items', 'a result of context items is kept with their names and addresses, and its content once'), () => {
  const scene = new Scene(new SimulatedSession({ vocabulary: 'continue' }));
  scene.session.deliver({ content: 'read it' });
  scene.settle();
  scene.session.answer({ toolCalls: [{ providerId: 'c', name: 'read_file', arguments: '{"filepath":"src/a.ts"}' }] });
  scene.settle();
  scene.session.settle(scene.sentCalls[0]!, { result: { content: 'one\ntwo\n', encoding: 'utf-8' } });
  scene.settle();
  expect(scene.history.at(-1)).toMatchObject({
    role: 'tool',
    content: 'one\ntwo',
    is_error: false,
    items: [{ name: 'a.ts', description: 'Contents of src/a.ts', uri: 'file:///workspace/src/a.ts' }],
  });
  expect(JSON.stringify(scene.history.at(-1)).match(/one/g)).toHaveLength(1);
});
