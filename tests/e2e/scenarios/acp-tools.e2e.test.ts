import { methods, type SessionUpdate } from '@agentclientprotocol/sdk';
import { readFile, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { eventually, verifies } from '@codelab/testkit';
import type { TestEditor } from '../start-editor.js';
import type { Planned } from '../planned-model.js';
import type { Plans } from '../use-chats.js';
import { agentOf, useEditors } from '../use-editors.js';

const write = (content: string, path = 'notes.txt'): Planned => ({ calls: [{ tool: 'write_file', args: { path, content } }] });
const run = (command: string): Planned => ({ calls: [{ tool: 'run_command', args: { command } }] });
const patch = '--- a/notes.txt\n+++ b/notes.txt\n@@ -1 +1 @@\n-typed, not saved\n+patched\n';

const PLANS: Plans = {
  'write it': [write('one\n'), { text: 'Written.' }],
  'write twice': [write('one\n'), write('two\n'), { text: 'Both.' }],
  'read it': [{ calls: [{ tool: 'read_file', args: { path: 'notes.txt' } }] }, { text: 'Read.' }],
  'patch it': [{ calls: [{ tool: 'apply_patch', args: { diff: patch, allow_dirty: true } }] }, { text: 'Patched.' }],
  'escape by link': [write('stolen', 'link/out.txt'), { text: 'Done.' }],
  'run it': [run('echo from-the-command && touch ran'), { text: 'Ran.' }],
  'run long': [run('echo begun && sleep 600'), { text: 'Never.' }],
  'list tasks': [
    {
      calls: [
        {
          tool: 'update_todos',
          args: {
            todos: [
              { content: 'Look', status: 'completed' },
              { content: 'Write', status: 'in_progress' },
            ],
          },
        },
      ],
    },
    { text: 'Planned.' },
  ],
  'ask me': [{ calls: [{ tool: 'prompt_user', args: { message: 'Which way?', actions: ['Left', 'Right'] } }] }, { text: 'Thanks.' }],
};

const editors = useEditors(PLANS);
const FILES = { fs: { readTextFile: true, writeTextFile: true } };

/** All that was told of a call, laid over each other. */
const callOf = (editor: TestEditor, sessionId: string, name: string) => {
  const updates = editor.updates(sessionId);
  const first = updates.findLast((update) => update.sessionUpdate === 'tool_call' && update.name === name);
  if (first?.sessionUpdate !== 'tool_call') throw new Error(`no call of ${name} was told`);
  const rest = updates.filter((update) => update.sessionUpdate === 'tool_call_update' && update.toolCallId === first.toolCallId);
  return { first, statuses: rest.flatMap(statusOf), last: Object.assign({}, first, ...rest) as typeof first };
};
const statusOf = (update: SessionUpdate) => (update.sessionUpdate === 'tool_call_update' && update.status ? [update.status] : []);

test(verifies('H1:acp-permission', 'an editor asks its person about a call with its diff, and only their answer lets it run'), async () => {
  const { root } = editors.repository;
  const editor = await editors.edit({ answers: () => 'allow_once' });
  const { sessionId } = await editor.open();
  expect(await editor.prompt(sessionId, 'write it')).toEqual({ stopReason: 'end_turn' });
  const [question] = editor.questions;
  expect(editor.questions).toHaveLength(1);
  expect(question?.toolCall).toMatchObject({
    ...{ kind: 'edit', status: 'pending', title: 'Write notes.txt', name: 'write_file' },
    rawInput: { path: 'notes.txt', content: 'one\n' },
    locations: [{ path: join(root, 'notes.txt'), line: 1 }],
  });
  expect(question?.toolCall.content).toContainEqual({ type: 'diff', path: join(root, 'notes.txt'), oldText: 'zero\n', newText: 'one\n' });
  expect(question?.options.map(({ kind }) => kind)).toEqual(
    expect.arrayContaining(['allow_once', 'allow_always', 'reject_once', 'reject_always']),
  );
  expect(await readFile(join(root, 'notes.txt'), 'utf8')).toBe('one\n');
  const call = callOf(editor, sessionId, 'write_file');
  expect(call.first.status).toBe('pending');
  expect(call.statuses).toEqual(['in_progress', 'completed']);
  expect(call.last.content).toContainEqual(expect.objectContaining({ type: 'diff', newText: 'one\n' }));
});

test(
  verifies('H1:acp-remember', 'an answer for always says what it allows, and spares the next question; one that refuses does, too'),
  async () => {
    const editor = await editors.edit({ answers: () => 'allow_always' });
    const { sessionId } = await editor.open();
    await editor.prompt(sessionId, 'write twice');
    expect(editor.questions).toHaveLength(1);
    const always = editor.questions[0]?.options.filter(({ kind }) => kind === 'allow_always') ?? [];
    expect(always[0]?.name).toMatch(/^Always in this conversation: .*notes\.txt/);
    expect(always.at(-1)?.name).toMatch(/^Always in this folder: /);
    expect(await readFile(join(editors.repository.root, 'notes.txt'), 'utf8')).toBe('two\n');
    const other = await editors.edit({ answers: () => 'reject_always' });
    const refused = await other.open();
    await other.prompt(refused.sessionId, 'write twice');
    expect(other.questions).toHaveLength(1);
    expect(callOf(other, refused.sessionId, 'write_file').last).toMatchObject({ status: 'failed' });
    expect(await readFile(join(editors.repository.root, 'notes.txt'), 'utf8')).toBe('two\n');
  },
);

test(
  verifies('H3:acp-dismissed', 'a question that an editor takes back decides nothing, and a turn that is cancelled meanwhile ends'),
  async () => {
    const editor = await editors.edit();
    const { sessionId } = await editor.open();
    const prompted = editor.prompt(sessionId, 'write it');
    await eventually('it is asked', () => editor.questions.length === 1);
    await editor.agent.notify(methods.agent.session.cancel, { sessionId });
    expect(await prompted).toEqual({ stopReason: 'cancelled' });
    expect(await readFile(join(editors.repository.root, 'notes.txt'), 'utf8')).toBe('zero\n');
  },
);

test(
  verifies('W2:acp-buffers', 'with an editor that has files, tools read, patch and attach what stands in it and is not saved'),
  async () => {
    const { root } = editors.repository;
    const editor = await editors.edit({ capabilities: FILES, answers: () => 'allow_once' });
    const path = join(root, 'notes.txt');
    editor.files.buffers.set(path, 'typed, not saved\n');
    const { sessionId } = await editor.open();
    await editor.prompt(sessionId, 'read it');
    expect(callOf(editor, sessionId, 'read_file').last).toMatchObject({ status: 'completed', kind: 'read', locations: [{ path }] });
    expect(JSON.stringify(callOf(editor, sessionId, 'read_file').last.content)).toContain('typed, not saved');
    await editor.prompt(sessionId, 'patch it');
    expect(editor.files.writes).toEqual([expect.objectContaining({ path, content: 'patched\n', sessionId })]);
    expect(await readFile(path, 'utf8')).toBe('patched\n');
    expect(callOf(editor, sessionId, 'apply_patch').last).toMatchObject({ status: 'completed' });
  },
);

test(
  verifies('H2:acp-buffers', 'a file that its person goes on typing in while a change of it waits is not written over: it is asked anew'),
  async () => {
    const path = join(editors.repository.root, 'notes.txt');
    const editor = await editors.edit({
      capabilities: FILES,
      answers: ({ options }) => {
        if (editor.questions.length === 1) editor.files.buffers.set(path, 'typed on\n');
        return options[0]?.optionId;
      },
    });
    editor.files.buffers.set(path, 'typed\n');
    const { sessionId } = await editor.open();
    await editor.prompt(sessionId, 'write it');
    expect(editor.questions).toHaveLength(2);
    const [first, second] = editor.questions.map(({ toolCall }) => JSON.stringify(toolCall.content));
    expect(first).toContain('typed\\n');
    expect(second).toContain('typed on\\n');
    expect(editor.files.writes).toHaveLength(1);
  },
);

test(
  verifies(
    'W1:acp-files',
    'an editor is asked for no file outside of the folder, and a file that it refuses to write is not written past it',
  ),
  async () => {
    const { root } = editors.repository;
    await symlink('/tmp', join(root, 'link'));
    const editor = await editors.edit({ capabilities: FILES, answers: () => 'allow_once' });
    const { sessionId } = await editor.open();
    await editor.prompt(sessionId, 'escape by link');
    expect(editor.files.writes).toEqual([]);
    expect(editor.files.reads.filter((path) => !path.startsWith(`${root}/`))).toEqual([]);
    editor.files.refuses = true;
    await editor.prompt(sessionId, 'write it');
    expect(await readFile(join(root, 'notes.txt'), 'utf8')).toBe('zero\n');
    expect(JSON.stringify(callOf(editor, sessionId, 'write_file').last)).toContain('locked in the editor');
  },
);

test(
  verifies('L3:acp-terminal', 'an approved command runs in a terminal of the editor, whose output the model reads; it is let go of'),
  async () => {
    const editor = await editors.edit({ capabilities: { terminal: true }, answers: () => 'allow_once' });
    const { sessionId } = await editor.open();
    await editor.prompt(sessionId, 'run it');
    expect(editor.terminals.created).toHaveLength(1);
    expect(editor.terminals.created[0]).toMatchObject({ cwd: editors.repository.root, sessionId });
    expect(editor.terminals.released).toEqual(['term-1']);
    const { last } = callOf(editor, sessionId, 'run_command');
    expect(last).toMatchObject({ status: 'completed', kind: 'execute', title: 'echo from-the-command && touch ran' });
    expect(last.content).toContainEqual({ type: 'terminal', terminalId: 'term-1' });
    expect(JSON.stringify(editors.model.requests.at(-1)?.body)).toContain('from-the-command');
    await readFile(join(editors.repository.root, 'ran'));
  },
);

test(verifies('R3:acp-terminal-cancel', 'a command in a terminal of the editor ends with the turn that its person cancels'), async () => {
  const editor = await editors.edit({ capabilities: { terminal: true }, answers: () => 'allow_once' });
  const { sessionId } = await editor.open();
  const prompted = editor.prompt(sessionId, 'run long');
  await eventually('it runs', () => editor.terminals.created.length === 1);
  await editor.agent.notify(methods.agent.session.cancel, { sessionId });
  expect(await prompted).toEqual({ stopReason: 'cancelled' });
  await eventually('the terminal is let go of', () => editor.terminals.released.length === 1);
});

test('without terminals a command runs here, and what it prints is told', async () => {
  const editor = await editors.edit({ answers: () => 'allow_once' });
  const { sessionId } = await editor.open();
  await editor.prompt(sessionId, 'run it');
  const { last } = callOf(editor, sessionId, 'run_command');
  expect(JSON.stringify(last.content)).toContain('from-the-command');
  expect(last.rawOutput).toMatchObject({ result: expect.stringContaining('from-the-command') });
});

test(verifies('L3:acp-plan', 'the tasks of an agent are the plan of the editor'), async () => {
  const { argv = [] } = agentOf(editors.system);
  const editor = await editors.edit({ argv: [...argv, '--vocabulary', 'agent'] });
  const { sessionId } = await editor.open();
  await editor.prompt(sessionId, 'list tasks');
  expect(editor.updates(sessionId).findLast(({ sessionUpdate }) => sessionUpdate === 'plan')).toEqual({
    sessionUpdate: 'plan',
    entries: [
      { content: 'Look', priority: 'medium', status: 'completed' },
      { content: 'Write', priority: 'medium', status: 'in_progress' },
    ],
  });
});

test.each([
  ['by a question', {}, () => '1', undefined],
  ['by a form', { elicitation: { form: {} } }, undefined, () => ({ answer: 'Right' })],
])(verifies('L3:acp-question', 'what a tool asks its person is asked %s'), async (_, capabilities, answers, forms) => {
  const editor = await editors.edit({ capabilities, answers, forms });
  const { sessionId } = await editor.open();
  await editor.prompt(sessionId, 'ask me');
  expect(editor.questions.length).toBeLessThan(2);
  expect(JSON.stringify(editors.model.requests.at(-1)?.body)).toContain('Right');
});
