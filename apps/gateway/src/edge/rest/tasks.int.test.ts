import { expect, test } from 'vitest';
import { newId, taskRef } from '@codelab/bus';
import { eventually, startRedis, verifies } from '@codelab/testkit';
import { outcomeOf } from '../__fixtures__/ask-rest.js';
import { useGateways } from '../__fixtures__/use-gateways.js';

const edge = useGateways(startRedis);

test(
  verifies('L2:task-alone', 'REST lists the agents that work on parts of a task, and stops one of them, for its owner only'),
  async () => {
    const session = edge.newSession();
    await edge.join(session);
    const callId = newId('call');
    const task = { callId, turnId: newId('turn'), model: 'm', agent: 'coder', within: ['coder'], prompt: 'look' };
    expect(await edge.bus.children.openTask(session, task)).toMatchObject({ kind: 'opened', child: { model: 'm', agent: 'coder' } });
    const again = await edge.bus.children.openTask(session, { ...task, turnId: newId('turn') });
    expect(again).toMatchObject({ kind: 'opened', child: { turnId: task.turnId } }); // whoever opens it, there is one
    const list = await edge.ask('GET', `/sessions/${session.sessionId}/tasks`);
    expect(list.body).toMatchObject({
      tasks: [{ call_id: callId, session_id: taskRef(session, callId).sessionId, agent: 'coder', status: 'running' }],
    });
    expect(outcomeOf(await edge.ask('GET', `/sessions/${session.sessionId}/tasks`, { token: 'bob-token' }))).toEqual([
      404,
      'SESSION_NOT_FOUND',
    ]);
    const path = `/sessions/${session.sessionId}/tasks/${callId}/cancel`;
    expect(outcomeOf(await edge.ask('POST', path, { token: 'bob-token' }))).toEqual([404, 'SESSION_NOT_FOUND']);
    expect(outcomeOf(await edge.ask('POST', path.replace(callId, 'call_other')))).toEqual([404, 'UNKNOWN_CALL']);
    const { status, body } = await edge.ask('POST', path);
    expect([status, body]).toEqual([202, { turn_id: task.turnId }]);
    expect((await edge.bus.store.readMeta(taskRef(session, callId)))?.cancelTurnId).toBe(task.turnId);
  },
);

test('an agent of the project can be named once the session knows it', async () => {
  const session = edge.newSession();
  const client = await edge.join(session);
  const files = [{ path: '.codelab/agents/r.md', scope: 'workspace', bytes: 7, content: 'Review.' }];
  client.send({ type: 'workspace_facts', files });
  await eventually('the facts are kept', async () => (await edge.bus.store.readFacts(session)).latest !== '');
  const { body } = await edge.ask('GET', `/sessions/${session.sessionId}/agents`);
  expect((body['agents'] as { name: string }[]).map(({ name }) => name)).toEqual([
    'orchestrator',
    'coder',
    'architect',
    'debug',
    'ask',
    'r',
  ]);
  const byQuery = await edge.ask('GET', `/agents?session_id=${session.sessionId}`);
  expect(byQuery.body).toEqual(body);
  const path = `/sessions/${session.sessionId}`;
  const { status, body: refused } = await edge.ask('PATCH', path, { body: { agent: 'nobody' } });
  expect([status, refused['error']]).toMatchObject([
    422,
    {
      code: 'INVALID_FIELD',
      message: expect.stringContaining('the agents are orchestrator, coder, architect, debug, ask, r') as unknown as string,
    },
  ]);
  expect((await edge.ask('PATCH', path, { body: { agent: 'r' } })).body).toMatchObject({ agent: 'r' });
  await edge.bus.store.patch(session, { agent: 'coder' });
  client.send({ type: 'switch_agent', agent: 'nobody' });
  client.send({ type: 'switch_agent', agent: 'r' });
  await eventually('the agent is switched', async () => (await edge.bus.store.readMeta(session))?.agent === 'r');
});
