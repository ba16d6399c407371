import { methods } from '@agentclientprotocol/sdk';
import { expect, test } from 'vitest';
import { eventually, verifies } from '@codelab/testkit';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { makeRepository } from '../make-repository.js';
import type { Plans } from '../use-chats.js';
import { useEditors } from '../use-editors.js';

const PLANS: Plans = {
  'remember seven': [{ calls: [{ tool: 'read_file', args: { path: 'notes.txt' } }] }, { text: 'I keep **seven**.' }],
  'write it': [{ calls: [{ tool: 'write_file', args: { path: 'notes.txt', content: 'one\n' } }] }, { text: 'Written.' }],
  'what was it': [{ text: 'Seven.' }],
  'talk slowly': [{ text: 'slow '.repeat(60), slow: 30 }],
};

const editors = useEditors(PLANS);
const { session } = methods.agent;

test(
  verifies(
    'R4:acp-sessions',
    'an editor lists the conversations of its folder, goes on with one, and is told again what was said where it asks for it',
  ),
  async () => {
    const { root } = editors.repository;
    const first = await editors.edit();
    const { sessionId } = await first.open();
    await first.prompt(sessionId, 'remember seven');
    await first.close();

    const second = await editors.edit();
    const { sessions } = await second.agent.request(session.list, { cwd: root });
    expect(sessions).toEqual([expect.objectContaining({ sessionId, cwd: root, title: 'remember seven', updatedAt: expect.any(String) })]);
    expect((await second.agent.request(session.list, { cwd: '/nowhere' })).sessions).toEqual([]);
    const loaded = await second.agent.request(session.load, { sessionId, cwd: root, mcpServers: [] });
    expect(loaded).toMatchObject({ modes: { currentModeId: 'ask' }, configOptions: expect.any(Array) });
    const told = second.updates(sessionId);
    const kinds = told.map(({ sessionUpdate }) => sessionUpdate).filter((kind) => kind !== 'available_commands_update');
    expect(kinds).toEqual(['user_message_chunk', 'tool_call', 'agent_message_chunk']);
    expect(told[0]).toMatchObject({ content: { type: 'text', text: 'remember seven' } });
    expect(told[1]).toMatchObject({ name: 'read_file', status: 'completed' });
    expect(second.said(sessionId)).toBe('I keep **seven**.');

    const third = await editors.edit();
    await third.agent.request(session.resume, { sessionId, cwd: root });
    expect(await third.prompt(sessionId, 'what was it')).toEqual({ stopReason: 'end_turn' });
    expect(third.said(sessionId)).toBe('Seven.');
    expect(JSON.stringify(editors.model.requests.at(-1)?.body)).toContain('remember seven');
    await third.agent.request(session.close, { sessionId });
    await expect(third.prompt(sessionId, 'what was it')).rejects.toMatchObject({ code: -32002 });
  },
);

test('a conversation that is not there is not found, one that is deleted is gone, and a folder has to be one', async () => {
  const editor = await editors.edit();
  const { root } = editors.repository;
  await expect(editor.agent.request(session.load, { sessionId: 'ses_unknown', cwd: root, mcpServers: [] })).rejects.toMatchObject({
    code: -32002,
  });
  await expect(editor.open([], 'relative/path')).rejects.toMatchObject({ code: -32602 });
  await expect(editor.open([], '/no/such/folder')).rejects.toMatchObject({
    code: -32602,
    message: expect.stringContaining('/no/such/folder'),
  });
  const { sessionId } = await editor.open();
  await editor.prompt(sessionId, 'what was it');
  await editor.agent.request(session.delete, { sessionId });
  expect((await editor.agent.request(session.list, { cwd: root })).sessions).toEqual([]);
});

test(verifies('S1:acp-sessions', 'sessions of one editor run side by side, each in its folder and told of by its own name'), async () => {
  const other = await makeRepository({ extra: { 'notes.txt': 'other\n' } });
  try {
    const editor = await editors.edit();
    const [one, two] = [await editor.open(), await editor.open([], other.root)];
    const slow = editor.prompt(one.sessionId, 'talk slowly');
    await editor.prompt(two.sessionId, 'remember seven');
    expect(editor.said(two.sessionId)).toBe('I keep **seven**.');
    expect(JSON.stringify(editors.model.requests.map(({ body }) => body))).toContain('other\\\\n');
    await editor.agent.notify(session.cancel, { sessionId: one.sessionId });
    expect(await slow).toEqual({ stopReason: 'cancelled' });
    expect(editor.said(one.sessionId)).toMatch(/^(slow )*/);
  } finally {
    await other.remove();
  }
});

test(
  verifies('R4:acp-question', 'a question outlives an agent that is killed: whoever loads the conversation is asked, once they know it'),
  async () => {
    const { root } = editors.repository;
    const first = await editors.edit();
    const { sessionId } = await first.open();
    first.prompt(sessionId, 'write it').catch(() => undefined); // it is killed
    await eventually('it is asked', () => first.questions.length === 1);
    first.child.kill('SIGKILL');
    const knows: boolean[] = [];
    let loaded = false;
    const second = await editors.edit({
      answers: () => {
        knows.push(loaded);
        return 'allow_once';
      },
    });
    await second.agent.request(session.load, { sessionId, cwd: root, mcpServers: [] });
    loaded = true;
    await eventually('it is written', async () => (await readFile(join(root, 'notes.txt'), 'utf8')) === 'one\n');
    expect(knows).toEqual([true]);
    await second.sees(
      'the end of the call',
      sessionId,
      (update) => update.sessionUpdate === 'tool_call_update' && update.status === 'completed',
    );
  },
);
