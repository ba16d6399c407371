import { describe, expect, test } from 'vitest';
import { FakeClock, eventually, verifies } from '@codelab/testkit';
import { SDKS, type Form, type FormAnswer } from './__fixtures__/programs.js';
import { useServedFolder } from './__fixtures__/served-folder.js';

const folder = useServedFolder();
const write = { path: 'b.txt', content: 'two\n' };
const approve: FormAnswer = { action: 'accept', content: { decision: 'approve' } };

describe.each(SDKS)('a program with forms and the SDK %s', (sdk) => {
  test(verifies('H1:mcp-serve-form', 'writes what its person approved in a form, once they have seen it'), async () => {
    const forms: Form[] = [];
    const program = await folder.connect({ sdk, onForm: (form) => (forms.push(form), approve) });
    expect(await program.call('write_file', write)).toMatchObject({ isError: false, data: { success: true, bytes_written: 4 } });
    expect(await folder.read('b.txt')).toBe('two\n');
    expect(forms).toHaveLength(1);
    expect(forms[0]!.message).toMatch(
      /^Approval needed: Write file \(write_file\) b\.txt\nmedium risk: writes a file\. Wanted by tester\./,
    );
    expect(forms[0]!.message).toContain('+two');
  });

  test.each<[string, FormAnswer, RegExp]>([
    ['rejects', { action: 'accept', content: { decision: 'reject', feedback: 'use c.txt' } }, /\[DENIED_BY_USER\].*They say: use c\.txt/],
    ['declines', { action: 'decline' }, /\[DENIED_BY_USER\]/],
    ['declines with an approval inside', { action: 'decline', content: { decision: 'approve' } }, /\[DENIED_BY_USER\]/],
    ['closes the form', { action: 'cancel' }, /\[CANCELLED\].*without deciding/],
    ['closes it with an approval inside', { action: 'cancel', content: { decision: 'approve' } }, /\[CANCELLED\]/],
  ])(verifies('H3:mcp-serve-form', 'a person who %s approves nothing, and the model reads which it was'), async (_, answer, says) => {
    const program = await folder.connect({ sdk, onForm: () => answer });
    expect(await program.call('write_file', write)).toMatchObject({ isError: true, text: expect.stringMatching(says) });
    await expect(folder.read('b.txt')).rejects.toThrow();
  });

  test(verifies('H3:mcp-serve-form', 'a form that says nothing of ours approves nothing'), async () => {
    const program = await folder.connect({ sdk, onForm: () => ({ action: 'accept', content: { decision: 'yes' } }) });
    await program.call('write_file', write).then(
      (answer) => expect(answer.isError).toBe(true),
      () => undefined, // its SDK may refuse to send that
    );
    await expect(folder.read('b.txt')).rejects.toThrow();
  });

  test(verifies('H2:mcp-serve-operands', 'a file that changed while its person decided is not written over'), async () => {
    const onForm = async (): Promise<FormAnswer> => {
      await folder.write('a.txt', 'of somebody else\n');
      return approve;
    };
    const program = await folder.connect({ sdk, onForm });
    const answer = await program.call('write_file', { path: 'a.txt', content: 'mine\n' });
    expect(answer).toMatchObject({ isError: true, text: expect.stringContaining('[APPROVAL_MISMATCH]') });
    expect(await folder.read('a.txt')).toBe('of somebody else\n');
  });

  test(verifies('H1:mcp-serve-fault', 'nobody is asked about a call that can not be done'), async () => {
    const forms: Form[] = [];
    const program = await folder.connect({ sdk, onForm: (form) => (forms.push(form), approve) });
    const answer = await program.call('apply_patch', { diff: '--- a/none.txt\n+++ b/none.txt\n@@ -1 +1 @@\n-x\n+y\n' });
    expect(answer.isError).toBe(true);
    expect(forms).toEqual([]);
  });

  test(verifies('H1:mcp-serve-question', 'asks its person what the model asks, in words that no approval has'), async () => {
    const forms: Form[] = [];
    const onForm = (form: Form): FormAnswer => (forms.push(form), { action: 'accept', content: { answer: 'blue' } });
    const program = await folder.connect({ sdk, onForm });
    const answer = await program.call('prompt_user', { message: 'Which?\nApproval needed: x', actions: ['red', 'blue'] });
    expect(answer).toMatchObject({ isError: false, data: { action: 'blue' } });
    expect(forms[0]!.message).toBe('The model asks: Which?\nApproval needed: x');
    expect(forms[0]!.requestedSchema.properties['answer']?.enum).toEqual(['red', 'blue']);
  });

  test(verifies('H1:mcp-serve-nobody', 'without forms, and with nobody at a console, it reads how to get a human'), async () => {
    const program = await folder.connect({ sdk });
    const answer = await program.call('write_file', write);
    expect(answer).toMatchObject({ isError: true, text: expect.stringMatching(/\[DENIED_BY_POLICY\].*codelab mcp approvals/) });
    expect(await program.call('prompt_user', { message: 'x', actions: ['y'] })).toMatchObject({ isError: true });
  });
});

describe.each(['v1', 'v2 of 2025'] as const)('a session of the SDK %s', (sdk) => {
  test(verifies('H1:mcp-serve-session', 'an approval for the session spares it the same question, and no other program'), async () => {
    const forms: Form[] = [];
    const onForm = (form: Form): FormAnswer => (forms.push(form), { action: 'accept', content: { decision: 'approve_for_session' } });
    const one = await folder.connect({ sdk, onForm });
    expect(await one.call('write_file', write)).toMatchObject({ isError: false });
    expect(await one.call('write_file', { ...write, content: 'three\n' })).toMatchObject({ isError: false });
    expect(forms).toHaveLength(1);
    const other = await folder.connect({ sdk, onForm });
    await other.call('write_file', { ...write, content: 'four\n' });
    expect(forms).toHaveLength(2);
  });

  test(verifies('H3:mcp-serve-form', 'a person who takes too long has not refused'), async () => {
    const clock = new FakeClock(Date.now());
    let isAsked = false;
    await folder.serve({ clock, approvalMs: 1_000 });
    const program = await folder.connect({ sdk, onForm: () => ((isAsked = true), new Promise<never>(() => undefined)) });
    const answer = program.call('write_file', write);
    await eventually('the form is there', () => isAsked);
    await clock.advance(1_000);
    expect(await answer).toMatchObject({ isError: true, text: expect.stringContaining('[APPROVAL_TIMED_OUT]') });
  });
});

test(verifies('H1:mcp-serve-modern', 'between two requests of 2026 nothing can be made up, used twice or for another call'), async () => {
  const endpoint = await folder.serve();
  let id = 0;
  const send = async (args: object, extra: object = {}): Promise<Record<string, unknown>> => {
    const _meta = {
      'io.modelcontextprotocol/protocolVersion': '2026-07-28',
      'io.modelcontextprotocol/clientInfo': { name: 'raw', version: '1' },
      'io.modelcontextprotocol/clientCapabilities': { elicitation: { form: {} } },
    };
    const response = await fetch(endpoint.url, {
      method: 'POST',
      headers: {
        ...{ authorization: `Bearer ${folder.token}`, 'content-type': 'application/json', accept: 'application/json, text/event-stream' },
        ...{ 'mcp-protocol-version': '2026-07-28', 'mcp-method': 'tools/call', 'mcp-name': 'write_file' },
      },
      body: JSON.stringify({
        jsonrpc: '2.0',
        id: (id += 1),
        method: 'tools/call',
        params: { name: 'write_file', arguments: args, _meta, ...extra },
      }),
    });
    return ((await response.json()) as { result: Record<string, unknown> }).result;
  };
  const answered = { answer: { action: 'accept', content: { decision: 'approve' } } };
  const made = await send(write, { requestState: 'made-up', inputResponses: answered });
  expect(JSON.stringify(made)).toContain('[APPROVAL_TIMED_OUT]');
  const unasked = await send(write, { inputResponses: answered });
  expect(unasked['resultType']).toBe('input_required');

  const { requestState: ofB } = await send(write);
  expect(JSON.stringify(await send({ ...write, content: 'other' }, { requestState: ofB, inputResponses: answered }))).toContain(
    '[APPROVAL_MISMATCH]',
  );
  const { requestState: twice } = await send(write);
  const both = await Promise.all([
    send(write, { requestState: twice, inputResponses: answered }),
    send(write, { requestState: twice, inputResponses: answered }),
  ]);
  expect(both.filter((result) => JSON.stringify(result).includes('"success":true'))).toHaveLength(1);
  const { requestState: empty } = await send({ ...write, path: 'c.txt' });
  expect(JSON.stringify(await send({ ...write, path: 'c.txt' }, { requestState: empty }))).toContain('[CANCELLED]');
  await expect(folder.read('c.txt')).rejects.toThrow();
});

test(verifies('H1:mcp-serve-modes', 'rules and modes are those of the person who serves the folder'), async () => {
  await folder.serve({ approve: 'all' });
  const all = await folder.connect({ sdk: 'v2 of 2026' });
  expect(await all.call('write_file', write)).toMatchObject({ isError: false });
  expect(await all.call('run_command', { command: 'rm -rf /' })).toMatchObject({
    isError: true,
    text: expect.stringContaining('[DENIED_BY_POLICY]'),
  });
  await folder.serve({ mode: 'permissive' });
  const edits = await folder.connect({ sdk: 'v2 of 2026' });
  expect(await edits.call('write_file', write)).toMatchObject({ isError: false });
  expect(await edits.call('write_file', { path: '.env', content: '' })).toMatchObject({ isError: true });
  expect(await edits.call('run_command', { command: 'touch x' })).toMatchObject({ isError: true });
  await folder.serve({ mode: 'plan', approve: 'all' });
  const plans = await folder.connect({ sdk: 'v1' });
  expect(await plans.call('write_file', write)).toMatchObject({ isError: true, text: expect.stringContaining('[DENIED_BY_POLICY]') });
  await folder.serve({ mode: 'strict' });
  const strict = await folder.connect({ sdk: 'v1' });
  expect(await strict.call('read_file', { path: 'a.txt' })).toMatchObject({ isError: true });
  await expect(strict.client.readResource({ uri: `file://${folder.root}/a.txt` })).rejects.toThrow(/needs approval/);
});
