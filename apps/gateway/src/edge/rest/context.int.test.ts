import { expect, test } from 'vitest';
import { eventually, startRedis } from '@codelab/testkit';
import { outcomeOf } from '../__fixtures__/ask-rest.js';
import { useGateways } from '../__fixtures__/use-gateways.js';

const edge = useGateways(startRedis);

const file = (path: string, content: string) => ({ path, scope: 'workspace', bytes: content.length, content });

test('a context is told before anything is in it, and the files that will be', async () => {
  const session = edge.newSession();
  const client = await edge.join(session);
  const path = `/sessions/${session.sessionId}/context`;
  expect((await edge.ask('GET', path)).body).toEqual({
    ...{ tokens: { system: 0, instructions: 0, tools: 0, history: 0, total: 0 }, instructions: [], agents: [] },
  });
  const files = [file('AGENTS.md', 'Use tabs. '.repeat(100)), file('a/AGENTS.md', 'x'), file('.codelab/agents/r.md', 'Review.')];
  client.send({ type: 'workspace_facts', files });
  await eventually('the facts are kept', async () => (await edge.bus.store.readFacts(session)).latest !== '');
  const { body } = await edge.ask('GET', path);
  expect(body).toMatchObject({
    instructions: [
      { path: 'AGENTS.md', use: 'always', bytes: 1_000 },
      { path: 'a/AGENTS.md', use: 'by_file', tokens: 1 },
    ],
    agents: [{ name: 'r', path: '.codelab/agents/r.md' }],
  });
  const [{ tokens }] = body['instructions'] as [{ tokens: number }];
  expect([tokens > 200, tokens < 400]).toEqual([true, true]);
});

test("another's context is not there", async () => {
  const session = edge.newSession();
  await edge.join(session);
  const asked = await edge.ask('GET', `/sessions/${session.sessionId}/context`, { token: 'bob-token' });
  expect(outcomeOf(asked)).toEqual([404, 'SESSION_NOT_FOUND']);
});
