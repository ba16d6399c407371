import type { ApprovalRequest } from '@codelab/client';
import { expect, test } from 'vitest';
import { verifies } from '@codelab/testkit';
import { HumanHere } from './human.js';

const request = (callId: string, more: Partial<ApprovalRequest> = {}): ApprovalRequest => ({
  ...{ callId, toolName: 'write_file', args: { path: 'a' }, argsText: '{"path":"a"}', argsSha256: 'x', origin: 'server' },
  onPreview: () => () => undefined,
  ...more,
});

test(
  verifies(
    'H3:ide-one-decision',
    'of two who decide a call in one window the first has decided, and a question that is settled elsewhere is gone',
  ),
  async () => {
    const human = new HumanHere();
    let told = 0;
    human.subscribe(() => (told += 1));
    const [first, second] = [human.approve(request('c1'), new AbortController().signal), new AbortController()];
    const withdrawn = human.approve(request('c2'), second.signal);
    expect(human.waiting().map((call) => call.request.callId)).toEqual(['c1', 'c2']);
    expect(human.decide('c1', { decision: 'approve' })).toBe(true);
    expect(human.decide('c1', { decision: 'reject' })).toBe(false);
    expect(await first).toEqual({ decision: 'approve' });
    second.abort();
    expect(await withdrawn).toBeUndefined();
    expect([human.waiting(), told]).toEqual([[], 4]);
  },
);

test('what only this machine asks is a question of its own, and counts once, wherever it is answered', async () => {
  const human = new HumanHere();
  const asked = human.approve(request('c1', { origin: 'client' }), new AbortController().signal);
  const [question] = human.questions();
  expect(question).toMatchObject({ kind: 'confirm', callId: 'c1', toolName: 'write_file' });
  human.answer(question!.id, { kind: 'confirm', decision: 'reject', feedback: 'no' });
  expect(await asked).toEqual({ decision: 'reject', feedback: 'no' });
  expect(human.questions()).toEqual([]);
  expect(() => human.answer(question!.id, { kind: 'decline' })).toThrow('answered');
});

test('a preview that comes later is shown with the call that waits', () => {
  const human = new HumanHere();
  let show: Parameters<ApprovalRequest['onPreview']>[0] = () => undefined;
  const onPreview: ApprovalRequest['onPreview'] = (listener) => {
    show = listener;
    return () => undefined;
  };
  void human.approve(request('c1', { onPreview }), new AbortController().signal);
  show({ kind: 'diff', text: 'd' }, []);
  expect(human.find('c1')?.preview).toEqual({ kind: 'diff', text: 'd' });
});

test('tools that ask get an answer, or hear that there is none', async () => {
  const human = new HumanHere(() => 'c9');
  const { signal } = new AbortController();
  const chosen = human.promptUser('Which?', ['a', 'b'], signal);
  expect(human.questions()).toEqual([expect.objectContaining({ kind: 'prompt', callId: 'c9', actions: ['a', 'b'] })]);
  human.answer(human.questions()[0]!.id, { kind: 'prompt', action: 'b' });
  expect(await chosen).toBe('b');
  const declined = human.promptUser('Which?', ['a'], signal);
  human.answer(human.questions()[0]!.id, { kind: 'decline' });
  await expect(declined).rejects.toMatchObject({ code: 'PERMISSION_DENIED' });
  const review = human.reviewPatch([], 'look', signal);
  human.answer(human.questions()[0]!.id, {
    kind: 'review',
    chunks: [1],
    editedChunks: [{ chunk: 1, lines: [{ sign: '+', text: 'x', noNewline: false }] }],
  });
  expect(await review).toEqual({
    action: 'apply',
    chunks: [1],
    editedChunks: [{ chunk: 1, lines: [{ sign: '+', text: 'x', noNewline: undefined }] }],
  });
});

test(verifies('H2:shown-arguments', 'a click on a call that shows other arguments by now decides nothing'), async () => {
  const human = new HumanHere();
  const gone = new AbortController();
  const first = human.approve(request('c1', { argsSha256: 'a' }), gone.signal);
  gone.abort();
  expect(await first).toBeUndefined();
  const second = human.approve(request('c1', { argsSha256: 'b' }), new AbortController().signal);
  expect(() => human.decide('c1', { decision: 'approve', argsSha256: 'a' })).toThrow('Nothing was decided');
  expect(human.waiting()).toHaveLength(1);
  expect(human.decide('c1', { decision: 'approve', argsSha256: 'b' })).toBe(true);
  expect(await second).toEqual({ decision: 'approve' });
});
