import { methods, type SessionConfigOption } from '@agentclientprotocol/sdk';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { verifies } from '@codelab/testkit';
import type { TestEditor } from '../start-editor.js';
import type { Plans } from '../use-chats.js';
import { useEditors } from '../use-editors.js';

const write = (content: string) => ({ calls: [{ tool: 'write_file', args: { path: 'notes.txt', content } }] });

const PLANS: Plans = {
  'write it': [write('one\n'), { text: 'Written.' }],
  'greet Ada': [{ text: 'Hello, Ada.' }],
  'just talk': [{ text: 'I am here.' }],
  'plan it': [
    { calls: [{ tool: 'submit_plan', args: { plan: '# One step\n\nWrite `notes.txt`.' } }] },
    write('planned\n'),
    { text: 'Carried out.' },
  ],
};

const editors = useEditors(PLANS);
const { session } = methods.agent;

const valueOf = (options: readonly SessionConfigOption[] | null | undefined, id: string) =>
  options?.find((option) => option.id === id)?.currentValue;
const choicesOf = (options: readonly SessionConfigOption[] | null | undefined, id: string) =>
  JSON.stringify(options?.find((option) => option.id === id));
const commandsOf = (editor: TestEditor, sessionId: string) =>
  editor.updates(sessionId).flatMap((update) => (update.sessionUpdate === 'available_commands_update' ? update.availableCommands : []));

test(verifies('H1:acp-modes', 'an editor sets how much is asked, and hears it when somebody else does'), async () => {
  const editor = await editors.edit();
  const { sessionId, modes, configOptions } = await editor.open();
  expect(modes).toMatchObject({ currentModeId: 'ask' });
  expect(modes?.availableModes.map(({ id }) => id)).toEqual(['strict', 'ask', 'accept-edits', 'plan']);
  expect(valueOf(configOptions, 'mode')).toBe('ask');
  await editor.agent.request(session.setMode, { sessionId, modeId: 'accept-edits' });
  await editor.prompt(sessionId, 'write it');
  expect(editor.questions).toEqual([]);
  expect(await readFile(join(editors.repository.root, 'notes.txt'), 'utf8')).toBe('one\n');
  await expect(editor.agent.request(session.setMode, { sessionId, modeId: 'wild' })).rejects.toMatchObject({
    ...{ code: -32602, message: expect.stringContaining('strict, ask, accept-edits, plan') },
  });
  await fetch(`${editors.system.gateways[0]?.url ?? ''}/api/v1/sessions/${sessionId}`, {
    method: 'PATCH',
    headers: { authorization: `Bearer ${editors.system.token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ mode: 'strict' }),
  });
  await editor.sees('the mode', sessionId, (update) => update.sessionUpdate === 'current_mode_update' && update.currentModeId === 'strict');
  await editor.sees(
    'the option',
    sessionId,
    (update) => update.sessionUpdate === 'config_option_update' && valueOf(update.configOptions, 'mode') === 'strict',
  );
});

test('a plan that is accepted so that files are edited unasked is carried out without another question', async () => {
  const editor = await editors.edit({ answers: () => 'allow-edits' });
  const { sessionId } = await editor.open();
  await editor.agent.request(session.setMode, { sessionId, modeId: 'plan' });
  await editor.prompt(sessionId, 'plan it');
  expect(editor.questions).toHaveLength(1);
  expect(JSON.stringify(editor.questions[0]?.toolCall.content)).toContain('# One step');
  expect(await readFile(join(editors.repository.root, 'notes.txt'), 'utf8')).toBe('planned\n');
});

test(verifies('L3:acp-options', 'an editor chooses model and agent among those that there are'), async () => {
  const editor = await editors.edit();
  const { sessionId, configOptions } = await editor.open();
  expect(configOptions?.map(({ category }) => category)).toEqual(['mode', 'model', '_agent']);
  expect(choicesOf(configOptions, 'agent')).toContain('architect');
  expect(choicesOf(configOptions, 'model')).toContain('"value":"default"');
  const asked = await editor.agent.request(session.setConfigOption, { sessionId, configId: 'agent', value: 'ask' });
  expect(valueOf(asked.configOptions, 'agent')).toBe('ask');
  const chosen = await editor.agent.request(session.setConfigOption, { sessionId, configId: 'model', value: 'gpt-other' });
  expect(valueOf(chosen.configOptions, 'model')).toBe('gpt-other');
  await editor.prompt(sessionId, 'just talk');
  expect(editors.model.requests.at(-1)?.body).toMatchObject({ model: 'gpt-other' });
  await expect(editor.agent.request(session.setConfigOption, { sessionId, configId: 'colour', value: 'red' })).rejects.toMatchObject({
    code: -32602,
  });
});

test(
  verifies(
    'L3:acp-commands',
    'commands that people wrote, and those of ours that make sense in an editor, are offered and do what they say',
  ),
  async () => {
    const { root } = editors.repository;
    await mkdir(join(root, '.codelab/commands'), { recursive: true });
    await writeFile(
      join(root, '.codelab/commands/greet.md'),
      '---\ndescription: Greets somebody\nargument-hint: name\n---\ngreet $ARGUMENTS\n',
    );
    const editor = await editors.edit({ answers: () => 'allow_once' });
    const { sessionId } = await editor.open();
    await editor.sees('commands', sessionId, ({ sessionUpdate }) => sessionUpdate === 'available_commands_update');
    expect(commandsOf(editor, sessionId)).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ name: 'undo' }),
        { name: 'greet', description: 'Greets somebody', input: { hint: 'name' } },
      ]),
    );
    await editor.prompt(sessionId, '/greet Ada');
    expect(editor.said(sessionId)).toBe('Hello, Ada.');
    await editor.prompt(sessionId, 'write it');
    await editor.prompt(sessionId, '/undo');
    expect(editor.said(sessionId)).toMatch(/~ notes\.txt\n\/undo yes does it\.$/);
    await editor.prompt(sessionId, '/undo yes');
    expect(await readFile(join(root, 'notes.txt'), 'utf8')).toBe('zero\n');
    await editor.prompt(sessionId, '/cost');
    expect(editor.said(sessionId)).toMatch(/This conversation/);
    await expect(editor.prompt(sessionId, '/nosuch thing')).rejects.toMatchObject({ message: expect.stringContaining('/nosuch') });
  },
);
