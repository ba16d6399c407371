import { expect, test } from 'vitest';
import fc from 'fast-check';
import { decodeServerFrame } from '@codelab/protocol';
import { askedCall, resolved, toolCall, welcome } from '../../test/support.js';
import { reduceSession, type SessionEvent } from './reduce-session.js';
import { EMPTY_VIEW, isSettled, type Item, type SessionView } from './session-view.js';

type Step = { readonly frame: object } | { readonly sent: string; readonly content: string };

const toEvent = (step: Step): SessionEvent =>
  'sent' in step
    ? { kind: 'message_sent', messageId: step.sent, content: step.content, atMs: 0 }
    : { kind: 'frame', frame: decodeServerFrame(JSON.stringify(step.frame))!, atMs: 0 };
const reduce = (steps: readonly Step[], from: SessionView = EMPTY_VIEW): SessionView =>
  steps.map(toEvent).reduce((view, event) => reduceSession(view, event), from);

interface Call {
  readonly frame: Record<string, unknown>;
  readonly asked: object;
}

/** A session as a gateway would keep it: the reference that frames and snapshots are made from. */
class Reference {
  readonly steps: Step[] = [];
  seq = 0;
  private readonly calls = new Map<string, Call>();
  private readonly history: object[] = [];
  private turn: { turn_id: string; message_ids: string[]; model: string } | undefined;
  private partial: { message_id: string; text: string } | undefined;
  private queue: { message_id: string; content: string }[] = [];
  private steering: { message_id: string; content: string }[] = [];
  private todos: object[] = [];
  private counter = 0;

  snapshot(): object {
    const { seq, history, todos, queue, partial, turn } = this;
    const open_calls = [...this.calls.values()].map(({ frame }) => frame);
    const steering = this.steering.length > 0 ? this.steering : undefined;
    const whole = {
      seq,
      history: history.slice(-50),
      todos,
      queue,
      steering,
      open_calls,
      partial,
      turn: turn && { ...turn, status: 'running' },
    };
    return JSON.parse(JSON.stringify(whole)) as object;
  }

  /** Does the next thing that `choice` means in the present state. */
  step(choice: number): void {
    if (this.turn === undefined) return choice % 3 === 0 ? this.changeQueue(choice) : this.startTurn();
    const [callId] = [...this.calls.keys()];
    const kind = choice % 8;
    if (kind === 0) this.endTurn();
    else if (kind === 1) this.changeQueue(choice);
    else if (kind === 2 && this.calls.size < 3) this.openCall(choice % 3 === 0);
    else if (kind === 3 && callId !== undefined) this.closeCall(callId, choice % 3 === 0);
    else if (kind === 4 && callId !== undefined) this.decide(callId, choice % 5 === 0);
    else if (kind === 5) this.changeTodos(choice);
    else if (kind === 6 && this.calls.size === 0 && this.steering.length > 0) this.takeSteered();
    else if (this.calls.size === 0) this.write(choice % 5 === 0);
    else this.openCall(true);
  }

  private log(frame: object): void {
    this.seq += 1;
    this.steps.push({ frame: { seq: this.seq, ...frame } });
  }

  /** Answers what waited longest; or a message that this client has just sent. */
  private startTurn(): void {
    const id = (this.counter += 1);
    const [message = { message_id: `m${id}`, content: `say ${id}` }, ...rest] = this.queue;
    if (this.queue.length === 0) this.steps.push({ sent: message.message_id, content: message.content });
    this.queue = rest;
    this.turn = { turn_id: `t${id}`, message_ids: [message.message_id], model: 'gpt' };
    this.history.push({ role: 'user', ...message, at_ms: 1 });
    this.log({ type: 'turn_started', ...this.turn });
  }

  private endTurn(): void {
    for (const callId of this.calls.keys()) this.answer(callId, 'Error [CANCELLED]: the turn was cancelled');
    const status = this.calls.size > 0 ? 'cancelled' : 'completed';
    this.keepPartial([]);
    this.calls.clear();
    this.log({ type: 'turn_ended', ...this.turn, status, usage: { input_tokens: 1, output_tokens: 1 } });
    this.turn = undefined;
    if (this.steering.length === 0) return;
    [this.queue, this.steering] = [[...this.steering, ...this.queue], []];
    this.logQueue();
  }

  private changeQueue(choice: number): void {
    const id = `q${(this.counter += 1)}`;
    const message = { message_id: id, content: `wait ${id}` };
    if (choice % 3 === 0 && this.turn !== undefined) this.steering = [...this.steering, message].slice(-16);
    else this.queue = choice % 2 === 0 ? this.queue.slice(1) : [...this.queue, message].slice(-16);
    this.logQueue();
  }

  private logQueue(): void {
    const steering = this.steering.length > 0 ? this.steering : undefined;
    this.log({ type: 'queue_updated', queue: this.queue, steering });
  }

  /** The next request to the model has what was steered. */
  private takeSteered(): void {
    this.keepPartial([]);
    for (const message of this.steering) this.history.push({ role: 'user', ...message, at_ms: 1 });
    this.log({ type: 'turn_steered', turn_id: this.turn?.turn_id, message_ids: this.steering.map(({ message_id }) => message_id) });
    this.steering = [];
    this.logQueue();
  }

  private changeTodos(choice: number): void {
    this.todos = [{ content: 'x', status: choice % 2 === 0 ? 'pending' : 'in_progress' }];
    this.log({ type: 'todos_updated', todos: this.todos });
  }

  private write(again: boolean): void {
    const token = `token ${this.seq} `;
    const replaces = again ? this.partial?.message_id : undefined;
    if (this.partial === undefined || again) this.partial = { message_id: `a${(this.counter += 1)}`, text: '' };
    this.partial = { ...this.partial, text: this.partial.text + token };
    this.log({ type: 'assistant_message', message_id: this.partial.message_id, token, is_final: false, replaces });
  }

  private openCall(asked: boolean): void {
    const call_id = `c${(this.counter += 1)}`;
    const { seq: _, ...frame } = (asked ? askedCall(0, call_id) : toolCall(0, call_id)) as Record<string, unknown>;
    this.calls.set(call_id, { frame, asked: frame['args'] as object });
    this.keepPartial([{ call_id, tool_name: frame['tool_name'], arguments: JSON.stringify(frame['args']) }]);
    this.log(frame);
  }

  private keepPartial(tool_calls: readonly object[]): void {
    const { message_id, text: content } = this.partial ?? { message_id: `a${(this.counter += 1)}`, text: '' };
    if (content !== '' || tool_calls.length > 0) this.history.push({ role: 'assistant', message_id, content, tool_calls, at_ms: 1 });
    this.partial = undefined;
  }

  private closeCall(callId: string, failed: boolean): void {
    this.answer(callId, failed ? 'Error [TIMEOUT]: too slow' : '{}');
    this.calls.delete(callId);
    this.log({ type: 'tool_status', call_id: callId, status: failed ? 'errored' : 'done' });
  }

  private answer(call_id: string, content: string): void {
    const { frame, asked } = this.calls.get(call_id)!;
    const edited_arguments = frame['args'] === asked ? undefined : JSON.stringify(frame['args']);
    const { tool_name } = frame;
    this.history.push({ role: 'tool', call_id, tool_name, content, is_error: content !== '{}', edited_arguments, at_ms: 1 });
  }

  private decide(callId: string, rejected: boolean): void {
    const call = this.calls.get(callId)!;
    if (call.frame['state'] !== 'waiting_approval') return;
    const args = { path: 'edited', content: String(this.seq) };
    const outcome = rejected ? 'rejected' : 'edited';
    const { seq: _, ...decision } = resolved(0, callId, args, { outcome, ...(rejected ? {} : { args }) }) as Record<string, unknown>;
    const { by, at_ms, args_sha256 } = decision;
    if (rejected) {
      this.answer(callId, 'Error [DENIED_BY_USER]: The user rejected this call.');
      this.calls.delete(callId);
    } else {
      const approval = { ...(call.frame['approval'] as object), outcome, by, at_ms };
      this.calls.set(callId, { ...call, frame: { ...call.frame, state: 'ready', args, args_sha256, approval } });
    }
    this.log(decision);
  }
}

/** What frames and snapshots both tell of an item: a history knows no ends of turns and no times, and of a call that is over no question. */
const common = (item: Item): readonly object[] => {
  if (item.kind === 'turn_end' || (item.kind === 'assistant' && item.replaced)) return [];
  if (item.kind === 'user') return [{ ...item, state: 'accepted' }]; // a history doesn't say what was steered
  if (item.kind !== 'call' || !isSettled(item)) return [{ ...item, startedAtMs: undefined }];
  const { callId, toolName, args, progress } = item;
  return [{ callId, toolName, args, progress }];
};

const comparable = ({ seq, turn, queue, steering, todos, items }: SessionView): object => ({
  seq,
  turn,
  queue,
  steering,
  todos,
  items: items.flatMap(common),
});

test('a snapshot and what came since give what a fresh snapshot gives, wherever it was taken and whatever comes twice', () => {
  fc.assert(
    fc.property(fc.array(fc.nat(1_000), { maxLength: 60 }), fc.nat(), fc.nat(), (choices, cut, repeat) => {
      const reference = new Reference();
      const at = cut % (choices.length + 1);
      let early = { snapshot: reference.snapshot(), seen: 0 };
      choices.forEach((choice, index) => {
        if (index === at) early = { snapshot: reference.snapshot(), seen: reference.steps.length };
        reference.step(choice);
      });
      const greet = (snapshot: object): Step => ({ frame: welcome({ recovered: false, seq: reference.seq, snapshot }) });
      const { steps } = reference;
      const isFrame = (step: Step): boolean => 'frame' in step;
      const before = steps
        .slice(0, early.seen)
        .filter(isFrame)
        .slice(-(repeat % 5) || steps.length);
      const since = steps.slice(early.seen);
      const followed = reduce([greet(early.snapshot), ...before, ...since, ...since.filter(isFrame).slice(-(repeat % 3) || since.length)]);
      const fresh = comparable(reduce([greet(reference.snapshot())]));
      expect(comparable(followed)).toEqual(fresh);
      const live = reduce(steps);
      expect(comparable(live)).toEqual(fresh);
      expect(comparable(reduce([greet(reference.snapshot())], live))).toEqual(fresh);
    }),
    { numRuns: 300 },
  );
});
