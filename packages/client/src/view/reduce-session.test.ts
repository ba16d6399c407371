import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { decodeServerFrame, type ServerFrame } from '@codelab/protocol';
import { askedCall, resolved, toolCall, welcome } from '../../test/support.js';
import { reduceSession, withUserMessage } from './reduce-session.js';
import { EMPTY_VIEW, type SessionView } from './session-view.js';

const read = (frame: object): ServerFrame => decodeServerFrame(JSON.stringify(frame))!;
const reduce = (frames: readonly object[], from: SessionView = EMPTY_VIEW): SessionView =>
  frames.map(read).reduce((view, frame) => reduceSession(view, frame), from);

const text = (seq: number, token: string, more: object = {}): object => ({
  type: 'assistant_message',
  seq,
  message_id: 'a1',
  token,
  is_final: false,
  ...more,
});
const started = (seq: number, turn_id = 't1'): object => ({ type: 'turn_started', seq, turn_id, message_ids: ['m1'], model: 'gpt' });
const ended = (seq: number, turn_id = 't1'): object => ({
  type: 'turn_ended',
  seq,
  turn_id,
  message_ids: ['m1'],
  model: 'gpt',
  status: 'completed',
  usage: { input_tokens: 10, output_tokens: 2, cost_usd: 0.5 },
});

test('a turn grows out of its frames and ends with its usage', () => {
  const view = reduce([
    welcome({ session_id: 's1' }),
    started(1),
    text(2, 'Let me '),
    text(3, 'look.'),
    toolCall(4, 'c1', { tool_name: 'read_file' }),
    { type: 'tool_status', seq: 5, call_id: 'c1', status: 'done' },
    text(6, 'Done.', { message_id: 'a2', is_final: true, content: 'Done.' }),
    ended(7),
  ]);
  expect(view).toMatchObject({
    sessionId: 's1',
    seq: 7,
    executor: 'you',
    turn: { turnId: 't1', status: 'completed' },
    entries: [
      { kind: 'assistant', text: 'Let me look.', isFinal: false },
      { kind: 'tool', callId: 'c1', toolName: 'read_file', status: 'done' },
      { kind: 'assistant', text: 'Done.', isFinal: true },
    ],
    calls: [],
    usage: { input_tokens: 10, output_tokens: 2, cost_usd: 0.5 },
  });
  expect(view).not.toHaveProperty('partial');
  expect(reduce([started(8, 't2'), ended(9, 't2')], view).usage).toEqual({ input_tokens: 20, output_tokens: 4, cost_usd: 1 });
});

test('a question shows its preview, its decision and the arguments to run', () => {
  const asked = reduce([started(1), askedCall(2, 'c1')]);
  expect(asked.calls).toMatchObject([{ callId: 'c1', state: 'waiting_approval', requiresApproval: true }]);
  const preview = { kind: 'diff', text: '+x' };
  const shown = reduce([{ type: 'approval_updated', seq: 3, call_id: 'c1', preview, operands: [] }], asked);
  expect(shown.calls[0]).toMatchObject({ preview });
  const args = { path: 'b', content: 'y' };
  const decided = reduce([resolved(4, 'c1', args, { outcome: 'edited', args })], shown);
  expect(decided.calls[0]).toMatchObject({ state: 'ready', args: JSON.stringify(args), approval: { outcome: 'edited', by: 'ann' } });
  const rejected = reduce([resolved(4, 'c1', args, { outcome: 'rejected' })], shown);
  expect(rejected.calls).toEqual([]);
  expect(rejected.entries).toMatchObject([{ kind: 'tool', status: 'errored' }]);
  const again = reduce([askedCall(5, 'c1')], decided);
  expect(again.calls).toMatchObject([{ callId: 'c1', state: 'waiting_approval' }]);
  expect(again.calls[0]).not.toHaveProperty('preview');
});

test('a repeated model request takes its first text back', () => {
  const view = reduce([started(1), text(2, 'Hal'), text(3, 'Hello', { message_id: 'a2', replaces: 'a1' })]);
  expect(view.entries).toMatchObject([{ kind: 'assistant', messageId: 'a2', text: 'Hello' }]);
  expect(view.partial).toEqual({ messageId: 'a2', text: 'Hello' });
});

test('a message shows when its turn starts, if it waited, and when the one who sent it says so', () => {
  const queued = reduce([{ type: 'queue_updated', seq: 1, queue: [{ message_id: 'm1', content: 'hi' }] }]);
  const view = reduce([started(2)], queued);
  expect(view.entries).toEqual([{ kind: 'user', messageId: 'm1', content: 'hi' }]);
  expect(withUserMessage(view, { messageId: 'm1', content: 'hi' })).toBe(view);
  expect(withUserMessage(view, { messageId: 'm2', content: 'ho' }).entries).toHaveLength(2);
});

test('a snapshot tells the conversation: texts, calls with their results, what waits', () => {
  const snapshot = {
    seq: 9,
    history: [
      { role: 'user', turn_id: 't1', message_id: 'm1', content: 'go', at_ms: 1 },
      {
        role: 'assistant',
        turn_id: 't1',
        message_id: 'a1',
        content: 'Reading.',
        tool_calls: [{ call_id: 'c1', tool_name: 'read_file', arguments: '{"path":"a"}', provider_id: 'x' }],
        at_ms: 1,
      },
      {
        role: 'tool',
        turn_id: 't1',
        call_id: 'c1',
        tool_name: 'read_file',
        content: 'Error [FILE_NOT_FOUND]: a',
        is_error: true,
        at_ms: 1,
      },
      { role: 'note', content: 'agent: ask', at_ms: 1 },
    ],
    history_cursor: '3',
    turn: { turn_id: 't1', status: 'cancelling', message_ids: ['m1'], model: 'gpt' },
    open_calls: [askedCall(8, 'c2')],
    todos: [{ content: 'x', status: 'pending' }],
    queue: [{ message_id: 'm2', content: 'next' }],
    partial: { message_id: 'a2', text: 'So' },
  };
  const view = reduce([welcome({ recovered: false, epoch: 'e2', seq: 9, snapshot })], {
    ...EMPTY_VIEW,
    agent: 'ask',
    entries: [{ kind: 'note', content: 'old' }],
  });
  expect(view).toMatchObject({
    epoch: 'e2',
    seq: 9,
    agent: 'ask',
    historyCursor: '3',
    turn: { turnId: 't1', status: 'running', model: 'gpt' },
    partial: { messageId: 'a2', text: 'So' },
    entries: [
      { kind: 'user', content: 'go' },
      { kind: 'assistant', text: 'Reading.', isFinal: false },
      { kind: 'tool', callId: 'c1', args: '{"path":"a"}', status: 'errored', content: 'Error [FILE_NOT_FOUND]: a' },
      { kind: 'note', content: 'agent: ask' },
      { kind: 'assistant', messageId: 'a2', text: 'So' },
    ],
    calls: [{ callId: 'c2', state: 'waiting_approval' }],
    queue: [{ messageId: 'm2', content: 'next' }],
  });
  expect(reduce([text(10, ' it is.', { message_id: 'a2' })], view).partial?.text).toBe('So it is.');
});

/** A session as a gateway would keep it: the reference that frames and snapshots are made from. */
class Reference {
  readonly frames: object[] = [];
  private readonly calls = new Map<string, object>();
  private turn: object | undefined;
  private partial: { message_id: string; text: string } | undefined;
  private queue: object[] = [];
  private counter = 0;

  get seq(): number {
    return this.frames.length;
  }

  snapshot(): object {
    return JSON.parse(
      JSON.stringify({
        ...{ seq: this.seq, history: [], todos: [], queue: this.queue, open_calls: [...this.calls.values()] },
        ...(this.turn === undefined ? {} : { turn: this.turn }),
        ...(this.partial === undefined ? {} : { partial: this.partial }),
      }),
    ) as object;
  }

  /** Does the next thing that `choice` means in the present state. */
  step(choice: number): void {
    if (this.turn === undefined) return choice % 3 === 0 ? this.changeQueue(choice) : this.startTurn();
    const [callId] = [...this.calls.keys()];
    const kind = choice % 7;
    if (kind === 0) this.endTurn();
    else if (kind === 1) this.changeQueue(choice);
    else if (kind === 2 && this.calls.size < 3) this.openCall(choice % 2 === 0);
    else if (kind === 3 && callId !== undefined) this.closeCall(callId);
    else if (kind === 4 && callId !== undefined) this.decide(callId);
    else if (this.calls.size === 0) this.write(choice % 5 === 0);
    else this.openCall(true);
  }

  private log(frame: object): void {
    this.frames.push({ seq: this.seq + 1, ...frame });
  }

  private startTurn(): void {
    const turn = { turn_id: `t${(this.counter += 1)}`, message_ids: [`m${this.counter}`], model: 'gpt' };
    this.turn = { ...turn, status: 'running' };
    this.log({ type: 'turn_started', ...turn });
  }

  private endTurn(): void {
    const { status: _, ...turn } = this.turn as { status: string };
    this.turn = this.partial = undefined;
    this.calls.clear();
    this.log({ type: 'turn_ended', ...turn, status: 'completed', usage: { input_tokens: 1, output_tokens: 1 } });
  }

  private changeQueue(choice: number): void {
    this.queue = choice % 2 === 0 ? this.queue.slice(1) : [...this.queue, { message_id: `q${(this.counter += 1)}`, content: 'x' }];
    this.log({ type: 'queue_updated', queue: this.queue });
  }

  private write(again: boolean): void {
    const token = `token ${this.seq} `;
    const replaces = again ? this.partial?.message_id : undefined;
    if (this.partial === undefined || again) this.partial = { message_id: `a${(this.counter += 1)}`, text: '' };
    this.partial = { ...this.partial, text: this.partial.text + token };
    const { message_id } = this.partial;
    this.log({ type: 'assistant_message', message_id, token, is_final: false, ...(replaces === undefined ? {} : { replaces }) });
  }

  private openCall(asked: boolean): void {
    const callId = `c${(this.counter += 1)}`;
    const { seq: _, ...frame } = (asked ? askedCall(0, callId) : toolCall(0, callId)) as { seq: number };
    this.partial = undefined;
    this.calls.set(callId, frame);
    this.log(frame);
  }

  private closeCall(callId: string): void {
    this.calls.delete(callId);
    this.log({ type: 'tool_status', call_id: callId, status: 'done' });
  }

  private decide(callId: string): void {
    const call = this.calls.get(callId) as { state: string; approval: object };
    if (call.state !== 'waiting_approval') return;
    const args = { path: 'edited', content: String(this.seq) };
    const { seq: _, type, ...decision } = resolved(0, callId, args, { outcome: 'edited', args }) as Record<string, unknown>;
    const { outcome, by, at_ms, args_sha256 } = decision;
    this.calls.set(callId, { ...call, state: 'ready', args, args_sha256, approval: { ...call.approval, outcome, by, at_ms } });
    this.log({ type, ...decision });
  }
}

/** What frames and snapshots both tell. */
const comparable = ({ seq, turn, partial, calls, queue }: SessionView): object => ({
  ...{ seq, partial, calls, queue },
  turn: turn?.status === 'running' ? turn : undefined,
});

test('a snapshot and the frames since it give what a fresh snapshot gives, wherever it was taken and whatever comes twice', () => {
  fc.assert(
    fc.property(fc.array(fc.nat(1_000), { maxLength: 60 }), fc.nat(), fc.nat(), (choices, cut, repeat) => {
      const reference = new Reference();
      const at = cut % (choices.length + 1);
      let early: object = reference.snapshot();
      choices.forEach((choice, index) => {
        if (index === at) early = reference.snapshot();
        reference.step(choice);
      });
      const from = (early as { seq: number }).seq;
      const since = reference.frames.slice(Math.max(0, from - (repeat % 5)));
      const greet = (snapshot: object): object => welcome({ recovered: false, seq: reference.seq, snapshot });
      const followed = reduce([greet(early), ...since, ...since.slice(-(repeat % 3))]);
      expect(comparable(followed)).toEqual(comparable(reduce([greet(reference.snapshot())])));
      expect(comparable(reduce(reference.frames))).toEqual(comparable(followed));
    }),
    { numRuns: 300 },
  );
});

test('a question of a program is shown while it waits, and is no part of the conversation', () => {
  const program = (frame: object, more: object = {}): object => ({ ...frame, seq: undefined, ...more });
  const asked = (callId: string): object => program(askedCall(0, callId), { origin: 'proxy' });
  const view = reduce([welcome(), started(1), toolCall(2, 'own'), asked('p1'), asked('p2'), asked('p3'), ended(3)]);
  expect([view.seq, view.calls.map(({ callId }) => callId), view.entries.length]).toEqual([3, ['p1', 'p2', 'p3'], 1]);
  const decided = reduce([program(resolved(0, 'p1', {})), program({ type: 'tool_cancel', call_id: 'p2', reason: 'cancelled' })], view);
  expect(decided.calls.map(({ callId, program: isProgram }) => [callId, isProgram])).toEqual([['p3', true]]);
  expect(reduce([asked('p3'), program(asked('p3'), { state: 'ready' })], decided).calls).toEqual([]);
  expect(reduce([welcome({ seq: 3 })], decided).calls).toEqual([]);
});
