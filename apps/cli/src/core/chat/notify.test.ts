import { expect, test } from 'vitest';
import { reduceChat } from './reduce-chat.js';
import { newChat, type ChatEvent, type ChatState } from './chat-state.js';
import { toNotification, type TerminalKind } from './notify.js';

const frame = (frame: object, atMs: number): ChatEvent => ({ kind: 'session', event: { kind: 'frame', frame, atMs } as never, atMs });
const started = frame({ type: 'turn_started', turn_id: 't', message_ids: [], model: 'm' }, 1_000);
const ended = (atMs: number): ChatEvent =>
  frame(
    { type: 'turn_ended', turn_id: 't', message_ids: [], model: 'm', status: 'completed', usage: { input_tokens: 0, output_tokens: 0 } },
    atMs,
  );
const call = { callId: 'c', toolName: 'run_command', args: '{}', argsSha256: '', origin: 'server' } as const;
const asked: ChatEvent = { kind: 'asked', asked: { kind: 'approval', call }, atMs: 2_000 };
const focus = (focused: boolean): ChatEvent => ({ kind: 'key', key: { kind: 'focus', focused }, atMs: 0 });

/** What is told of these events. */
function told(...events: readonly ChatEvent[]): readonly object[] {
  let state: ChatState = newChat();
  return events.flatMap((event) => {
    const step = reduceChat(state, event);
    state = step.state;
    return step.effects.filter(({ kind }) => kind === 'notify');
  });
}

test.each<[string, readonly ChatEvent[], readonly object[]]>([
  ['an approval waits', [asked], [{ text: 'run_command waits for you', isAway: true }]],
  ['the window is in front', [focus(true), asked], [{ isAway: false }]],
  ['it was in front', [focus(true), focus(false), asked], [{ isAway: true }]],
  ['a long turn ends', [started, ended(12_000)], [{ text: 'The turn has ended' }]],
  ['a short one', [started, ended(10_000)], []],
  ['one that was stopped', [started, { kind: 'session', event: { kind: 'cancel_sent', atMs: 2 }, atMs: 2 }, ended(90_000)], []],
])('%s', (_, events, expected) => expect(told(...events)).toMatchObject(expected));

test.each<[TerminalKind, string]>([
  [{ term: 'xterm-256color' }, '\x07'],
  [{ termProgram: 'iTerm.app' }, '\x1b]9;CodeLab: a b\x07'],
  [{ term: 'xterm-kitty' }, '\x1b]9;CodeLab: a b\x07'],
  [{ vteVersion: '7600' }, '\x1b]777;notify;CodeLab;a b\x07'],
  [{ term: 'foot', tmux: '/tmp/tmux' }, '\x07'],
])('%j', (kind, text) => expect(toNotification('a\x07b', kind)).toBe(text));
