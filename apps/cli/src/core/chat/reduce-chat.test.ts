import { expect, test } from 'vitest';
import fc from 'fast-check';
import type { ServerFrame, SessionMode } from '@codelab/protocol';
import { verifies } from '@codelab/testkit';
import { argsDigest, parsePatch } from '@codelab/tools';
import { KeyReader } from '../input/key-reader.js';
import { promptCommands } from '../mcp/prompt-command.js';
import type { Asked, ChatEffect, ChatEvent, ChatState } from './chat-state.js';
import { newChat } from './chat-state.js';
import { reduceChat } from './reduce-chat.js';

const DIFF = ['a', 'b'].map((name) => `diff --git a/${name} b/${name}\n--- a/${name}\n+++ b/${name}\n@@ -1 +1 @@\n-old\n+new\n`).join('');
const approval = (callId: string, toolName = 'write_file', args: object = { path: 'a' }): Asked => ({
  kind: 'approval',
  call: { callId, toolName, args: JSON.stringify(args), argsSha256: argsDigest(args), origin: 'server' },
});
const question: Asked = { kind: 'question', callId: 'q', message: 'Continue?', actions: ['approve', 'deny'] };
const plan = approval('p', 'submit_plan', { plan: '# Do it' });
const review: Asked = { kind: 'review', callId: 'r', message: 'look', patch: parsePatch(DIFF) };
const EDITED = [
  { sign: '-', text: 'old' },
  { sign: '+', text: 'newer' },
] as const;
const started: ServerFrame = { type: 'turn_started', turn_id: 't', message_ids: [], model: 'offline' };

const waiting: ServerFrame = {
  type: 'queue_updated',
  queue: [
    { message_id: 'm1', content: 'a' },
    { message_id: 'm2', content: 'b' },
  ],
};
const steering: ServerFrame = { type: 'queue_updated', queue: [], steering: [{ message_id: 'm1', content: 'a' }] };
const resolved = (call_id: string, outcome: 'approved' | 'rejected'): ServerFrame => ({
  ...{ type: 'approval_resolved', call_id, outcome, args_sha256: '', by: 'ann', at_ms: 1 },
});
const usage = { input_tokens: 0, output_tokens: 0 };
const ended: ServerFrame = { type: 'turn_ended', turn_id: 't', message_ids: [], model: 'offline', status: 'cancelled', usage };

/** Tested by themselves. */
const SIDE_EFFECTS: ReadonlySet<string> = new Set(['wake', 'find_customs', 'notify']);

/** A person at the keyboard: `type` presses keys, `wait` lets time pass, and every effect is noted. */
class Person {
  effects: ChatEffect[] = [];
  nowMs = 10_000;

  constructor(public state: ChatState = newChat()) {}

  feed(event: { [Kind in ChatEvent['kind']]: Omit<Extract<ChatEvent, { kind: Kind }>, 'atMs'> }[ChatEvent['kind']]): this {
    const step = reduceChat(this.state, { ...event, atMs: this.nowMs });
    this.state = step.state;
    this.effects.push(...step.effects.filter(({ kind }) => !SIDE_EFFECTS.has(kind)));
    return this;
  }

  frame(frame: ServerFrame): this {
    return this.feed({ kind: 'session', event: { kind: 'frame', frame, atMs: this.nowMs } });
  }

  shell(kind: 'shell_started' | 'shell_ended'): this {
    return this.feed({ kind: 'session', event: { kind, id: 's', command: 'sleep 9', code: 0, atMs: this.nowMs } });
  }

  ask(asked: Asked): this {
    return this.feed({ kind: 'asked', asked }).wait(1_000);
  }

  type(keys: string): this {
    const reader = new KeyReader();
    for (const key of [...reader.push(keys), ...reader.flush()]) this.feed({ kind: 'key', key });
    return this;
  }

  wait(ms: number): this {
    this.nowMs += ms;
    return this.feed({ kind: 'tick' });
  }

  /** Presses a key and leaves it alone. */
  press(keys: string): this {
    return this.type(keys).wait(1_000);
  }
}

const TAB = '\t';
const MODELS = ['small', 'big-1', 'big-2'].map((value) => ({ value, label: value }));
const [DOWN, ESC] = ['\x1b[B', '\x1b'];

test.each<[string, (person: Person) => Person, readonly object[]]>([
  ['a message is sent', (p) => p.type('hello\r'), [{ kind: 'send', content: 'hello' }]],
  [
    'while a turn runs Enter is for its next step, Alt-Enter for its end',
    (p) => p.frame(started).type('now\r').type('later\x1b\r'),
    [
      { kind: 'send', content: 'now', waits: false },
      { kind: 'send', content: 'later', waits: true },
    ],
  ],
  [
    'Shift-Tab goes round how much is asked',
    (p) => p.type('\x1b[Z\x1b[Z\x1b[Z'),
    [
      { kind: 'set_mode', mode: 'permissive', before: undefined },
      { kind: 'set_mode', mode: 'plan', before: 'permissive' },
      { kind: 'set_mode', mode: 'medium', before: 'plan' },
    ],
  ],
  ['a line after ! is a command of the user', (p) => p.type('! ls -l\r'), [{ kind: 'run_shell', command: 'ls -l' }]],
  ['a lone ! is a message', (p) => p.type('!\r'), [{ kind: 'send', content: '!' }]],
  [
    'one command runs at a time, Ctrl-C ends it and nothing else',
    (p) => p.frame(started).shell('shell_started').type('!ls\r\x03\x03').shell('shell_ended').type('\r'),
    [{ kind: 'stop_shell' }, { kind: 'stop_shell' }, { kind: 'run_shell', command: 'ls' }],
  ],
  ['a plan is accepted', (p) => p.ask(plan).press('a'), [{ kind: 'decide', callId: 'p', decision: 'approve' }]],
  [
    'a plan is accepted with its edits',
    (p) => p.ask(plan).press('f').frame(resolved('p', 'approved')).frame(resolved('p', 'approved')),
    [
      { kind: 'decide', callId: 'p', decision: 'approve' },
      { kind: 'set_mode', mode: 'permissive' },
    ],
  ],
  [
    'a plan that another window rejected first frees nothing',
    (p) => p.ask(plan).press('f').frame(resolved('p', 'rejected')).frame(resolved('other', 'approved')),
    [{ kind: 'decide', callId: 'p', decision: 'approve' }],
  ],
  [
    'a plan is rejected with words',
    (p) => p.ask(plan).press('r').type('tests, too\r'),
    [{ kind: 'decide', decision: 'reject', feedback: 'tests, too' }],
  ],
  ['what is no plan is not freed', (p) => p.ask(approval('c')).press('f'), []],
  [
    'a message for the next step is taken back, too',
    (p) => p.frame(started).frame(steering).type('\x1b[A!\r').type(ESC).frame(ended).type('\r'),
    [{ kind: 'unqueue', messageId: 'm1' }, { kind: 'send', content: 'a!' }, { kind: 'cancel' }],
  ],
  [
    'an earlier message is searched, taken and sent; a key that ends the search does nothing else',
    (p) => p.type('fix it\rrun it\r\x12FIX\x7f\x7f\x7ffix\r!\r\x12run\x03x\r'),
    [{ content: 'fix it' }, { content: 'run it' }, { content: 'fix it!' }, { content: 'x' }],
  ],
  ['a chosen model goes with the messages', (p) => p.type('/model gpt-x\rhello\r'), [{ kind: 'send', content: 'hello', model: 'gpt-x' }]],
  ['models are asked for', (p) => p.type('/model\r'), [{ kind: 'command', name: 'model', text: '' }]],
  [
    'a model is picked',
    (p) => p.type('/model\r').feed({ kind: 'offered', command: 'model', entries: MODELS }).type(`b${DOWN}\rhello\r`),
    [
      { kind: 'command', name: 'model', text: '' },
      { kind: 'send', content: 'hello', model: 'big-2' },
    ],
  ],
  [
    'another conversation is begun, or picked',
    (p) =>
      p
        .type('/new\r/resume\r')
        .feed({ kind: 'offered', command: 'resume', entries: [{ value: 's2', label: 'Fix it' }] })
        .type('fix\r'),
    [
      { kind: 'command', name: 'new', text: '' },
      { kind: 'command', name: 'resume', text: '' },
      { kind: 'command', name: 'resume', text: 's2' },
    ],
  ],
  [
    'nor while a command of the user runs',
    (p) => p.feed({ kind: 'session', event: { kind: 'shell_started', id: 's', command: 'make', atMs: 0 } }).type('/new\r/resume s2\r'),
    [],
  ],
  [
    'nor while the connection is lost',
    (p) => p.feed({ kind: 'session', event: { kind: 'link', link: 'lost', atMs: 0 } }).type('/new\r/resume s2\r'),
    [],
  ],
  ['but not while a turn runs', (p) => p.frame(started).type('/new\r/resume\r/resume s2\r'), []],
  ['the agent is switched', (p) => p.type('/agent architect\r'), [{ kind: 'switch_agent', agent: 'architect' }]],
  ['a path is a message', (p) => p.type('/etc/hosts is odd\r'), [{ kind: 'send', content: '/etc/hosts is odd' }]],
  [
    'an unknown command may be one of the workspace',
    (p) => p.type('/fix-it  a b\r'),
    [{ kind: 'send_custom', name: 'fix-it', args: 'a b' }],
  ],
  ['a command is completed', (p) => p.type('/ru\t\r'), [{ kind: 'command', name: 'rules', text: '' }]],
  ['as far as it is known', (p) => p.type('/c\ta\t\r'), []],
  [
    'with one that people wrote',
    (p) => p.feed({ kind: 'customs_found', customs: [{ name: 'git:commit', scope: 'user', description: '' }] }).type('/g\tall\r'),
    [{ kind: 'send_custom', name: 'git:commit', args: 'all' }],
  ],
  ['and only at its end', (p) => p.type('/ru x\t\r'), [{ kind: 'send_custom', name: 'ru', args: 'x' }]],
  ['cancel without a turn does nothing', (p) => p.type('/cancel\r'), []],
  ['the context is shown', (p) => p.type('/context\r'), [{ kind: 'command', name: 'context', text: '' }]],
  ['rules are shown', (p) => p.type('/rules\r'), [{ kind: 'command', name: 'rules', text: '' }]],
  [
    'undo is shown, and done',
    (p) => p.type('/undo\r/undo yes\r'),
    [
      { kind: 'command', name: 'undo', text: '' },
      { kind: 'command', name: 'undo', text: 'yes' },
    ],
  ],
  ['nothing is undone while a turn runs', (p) => p.frame(started).type('/undo yes\r'), []],
  ['cancel with a turn', (p) => p.frame(started).type('/cancel\r'), [{ kind: 'cancel' }]],
  [
    'ctrl-c stops the turn, twice leaves',
    (p) => p.frame(started).type('\x03').wait(500).type('\x03'),
    [{ kind: 'cancel' }, { kind: 'leave' }],
  ],
  [
    'ctrl-c much later stops the next turn',
    (p) => p.frame(started).type('\x03').wait(9_000).type('\x03'),
    [{ kind: 'cancel' }, { kind: 'cancel' }],
  ],
  [
    'messages that wait come back when a turn is stopped, and nothing is left that could start',
    (p) => p.frame(started).frame(waiting).type(ESC).wait(9_000).type(' c').frame(ended).type('\r'),
    [{ kind: 'cancel' }, { kind: 'send', content: 'a\nb c' }],
  ],
  [
    'the last message that waits is taken back and edited',
    (p) => p.frame(started).frame(waiting).type('\x1b[A!\r'),
    [
      { kind: 'unqueue', messageId: 'm2' },
      { kind: 'send', content: 'b!' },
    ],
  ],
  ['what the calls did is opened again', (p) => p.type('\x0f'), [{ kind: 'show_calls' }]],
  [
    'what is older is summed up, or forgotten',
    (p) => p.type('/compact the tests\r/clear\r'),
    [
      { kind: 'send', content: '/compact the tests', command: 'compact' },
      { kind: 'send', content: '/clear', command: 'clear' },
    ],
  ],
  ['ctrl-c clears the line first', (p) => p.type('abc\x03').wait(9_000).type('d\r'), [{ kind: 'send', content: 'd' }]],
  ['ctrl-d leaves only on an empty line', (p) => p.type('a\x04\x7f\x04'), [{ kind: 'leave' }]],
  ['a approves', (p) => p.ask(approval('c')).press('a'), [{ kind: 'decide', callId: 'c', decision: 'approve' }]],
  [
    'r rejects with a reason',
    (p) => p.ask(approval('c')).press('r').type('not there\r'),
    [{ kind: 'decide', decision: 'reject', feedback: 'not there' }],
  ],
  [
    'r and Enter reject without one',
    (p) => p.ask(approval('c')).press('r').type('\r'),
    [{ kind: 'decide', callId: 'c', decision: 'reject' }],
  ],
  [
    'Escape takes the rejection back',
    (p) => p.ask(approval('c')).press('r').type(`no${ESC}`).press('a'),
    [{ kind: 'decide', decision: 'approve' }],
  ],
  [
    'e opens the editor, whose arguments decide',
    (p) => p.ask(approval('c')).press('e').feed({ kind: 'args_edited', callId: 'c', args: '{"path":"b"}' }).wait(1_000).press('a'),
    [
      { kind: 'edit_args', args: '{"path":"a"}' },
      { kind: 'preview_args', callId: 'c', args: '{"path":"b"}' },
      { kind: 'decide', decision: 'edit', args: '{"path":"b"}' },
    ],
  ],
  [
    'edited arguments run only once somebody has looked, and are not taken apart',
    (p) =>
      p
        .ask(approval('c', 'apply_patch', { diff: DIFF }))
        .press('e')
        .feed({ kind: 'args_edited', callId: 'c', args: '{"diff":""}' })
        .press('h'),
    [{ kind: 'edit_args' }, { kind: 'preview_args' }],
  ],
  [
    'arguments that came back too late decide nothing',
    (p) => p.ask(approval('c')).press('e').feed({ kind: 'withdrawn', callId: 'c' }).feed({ kind: 'args_edited', callId: 'c', args: '{}' }),
    [{ kind: 'edit_args' }],
  ],
  ['d shows everything', (p) => p.ask(approval('c')).press('d'), [{ kind: 'show_details' }]],
  [
    'one decision touches one call',
    (p) => p.ask(approval('c1')).ask(approval('c2')).press('a'),
    [{ kind: 'decide', callId: 'c1', decision: 'approve' }],
  ],
  [
    'a question is answered with arrows',
    (p) => p.ask(question).type(`${DOWN}\r`),
    [{ kind: 'answer_question', callId: 'q', action: 'deny' }],
  ],
  ['or with its number', (p) => p.ask(question).type('2').type('\r'), [{ kind: 'answer_question', action: 'deny' }]],
  ['or declined', (p) => p.ask(question).type(ESC), [{ kind: 'answer_question', callId: 'q' }]],
  ['letters do not answer a question', (p) => p.ask(question).press('a'), []],
  [
    'a review drops a chunk',
    (p) => p.ask(review).type('yn\r'),
    [{ kind: 'answer_review', callId: 'r', review: { action: 'apply', chunks: [1], editedChunks: [] } }],
  ],
  ['Enter alone ends no review that is undecided', (p) => p.ask(review).type('y\r'), []],
  [
    'a hunk of a review is edited',
    (p) => p.ask(review).type('e').feed({ kind: 'hunk_edited', callId: 'r', lines: EDITED }).type('n\r'),
    [
      expect.objectContaining({ kind: 'edit_hunk', callId: 'r' }),
      { kind: 'answer_review', callId: 'r', review: { action: 'apply', chunks: [1], editedChunks: [{ chunk: 1, lines: EDITED }] } },
    ],
  ],
  ['a review is cancelled', (p) => p.ask(review).type(ESC), [{ kind: 'answer_review', callId: 'r' }]],
])('%s', (_, act, effects) => expect(act(new Person()).effects).toMatchObject(effects));

test('a patch is approved in part: the kept chunks become its arguments', () => {
  const { effects } = new Person()
    .ask(approval('c', 'apply_patch', { diff: DIFF, allow_dirty: true }))
    .press('h')
    .type('ny\r');
  expect(effects).toMatchObject([{ kind: 'decide', decision: 'edit' }]);
  const args = JSON.parse((effects[0] as { args: string }).args) as { diff: string; allow_dirty: boolean };
  expect(args.allow_dirty).toBe(true);
  expect(parsePatch(args.diff).map(({ newPath }) => newPath)).toEqual(['b']);
});

test('keeping all chunks approves the call as it is, keeping none rejects it', () => {
  const ask = (): Person => new Person().ask(approval('c', 'apply_patch', { diff: DIFF })).press('h');
  expect(ask().type('A\r').effects).toMatchObject([{ decision: 'approve' }]);
  expect(ask().type('nn\r').effects).toMatchObject([{ decision: 'reject' }]);
});

test('a patch that cannot be taken apart says so and stays to be decided', () => {
  const person = new Person().ask(approval('c', 'apply_patch', { diff: 'nonsense' })).press('h');
  expect(person.effects).toEqual([]);
  expect(person.state.attention).toMatchObject({ kind: 'approval', prompt: { fault: expect.stringContaining('taken apart') } });
});

test.each([
  [
    'typed before the panel could be seen',
    (p: Person) =>
      p
        .feed({ kind: 'asked', asked: approval('c') })
        .type('a')
        .wait(2_000),
    'a',
  ],
  ['typed in a row', (p: Person) => p.ask(approval('c')).type('add').wait(2_000), 'add'],
  ['pasted', (p: Person) => p.ask(approval('c')).type('\x1b[200~a\x1b[201~').wait(2_000), 'a'],
  ['added to a message that was begun', (p: Person) => p.type('hell').ask(approval('c')).type('a').wait(2_000), 'hella'],
])('a letter that was %s belongs to the message and decides nothing', (_, act, text) => {
  const person = act(new Person());
  expect(person.effects).toEqual([]);
  expect(person.state.editor.text).toBe(text);
});

test('Tab moves between the message and the approval', () => {
  const person = new Person().type('hello').ask(approval('c')).type(TAB).press('a');
  expect(person.effects).toMatchObject([{ decision: 'approve' }]);
  expect(person.state.editor.text).toBe('hello');
});

test('no message, paste, Enter or passing of time ever decides', () => {
  const input = fc.oneof(
    fc.constantFrom('\r', '\x1b[A', '\x1b', '\n', '\x1b[200~a\x1b[201~', '\x1b[200~approve\r\x1b[201~', ' ', 'y', '1'),
    fc
      .string({ minLength: 2, maxLength: 9 })
      .filter((text) => !text.includes('\t'))
      .map((text) => `${text}\r`),
  );
  fc.assert(
    fc.property(fc.array(fc.tuple(input, fc.nat(3_000)), { maxLength: 20 }), (inputs) => {
      const person = new Person().ask(approval('c'));
      for (const [keys, pause] of inputs) person.type(keys).wait(pause);
      expect(person.effects.filter((effect) => effect.kind === 'decide' && effect.decision !== 'reject')).toEqual([]);
    }),
  );
});

test('a question that is settled elsewhere goes away, and the next one comes', () => {
  const person = new Person().ask(approval('c1')).ask(question).feed({ kind: 'withdrawn', callId: 'c1' });
  expect(person.state.attention).toMatchObject({ kind: 'question' });
  expect(person.feed({ kind: 'withdrawn', callId: 'q' }).state.attention).toBeUndefined();
});

test('a message that is too long is kept to be shortened', () => {
  const person = new Person().type(`\x1b[200~${'x'.repeat(10_001)}\x1b[201~\r`);
  expect(person.effects).toEqual([]);
  expect(person.state.editor.text).toHaveLength(10_001);
  expect(person.state.view.items).toMatchObject([{ kind: 'notice', tone: 'error' }]);
});

test('without a place to write, keys only answer what is asked', () => {
  const person = new Person(newChat({ writes: false })).type('hello\r').ask(approval('c')).type('xy').wait(1_000).press('a');
  expect(person.effects).toMatchObject([{ kind: 'decide', decision: 'approve' }]);
});

test('a picker has all keys until it is left, and what is pressed to leave it approves nothing', () => {
  const person = new Person().type('/model\r').feed({ kind: 'offered', command: 'model', entries: MODELS }).ask(approval('c'));
  expect(person.press('a').state.picker?.search.text).toBe('a');
  person.type('\x1b').type('a');
  expect(person.state.picker).toBeUndefined();
  expect(person.wait(1_000).effects.filter(({ kind }) => kind === 'decide')).toEqual([]);
  expect(person.press('\x7f').type('\t').press('a').effects).toContainEqual(
    expect.objectContaining({ kind: 'decide', decision: 'approve' }),
  );
});

test('entries that come too late open nothing, and a failure leaves the picker', () => {
  const left = new Person().type('/model\r').type('\x1b').feed({ kind: 'offered', command: 'model', entries: MODELS });
  expect(left.state.picker).toBeUndefined();
  const failed = new Person().type('/model\r').feed({ kind: 'command_failed', command: 'model', why: 'no answer' });
  expect(failed.state.picker).toBeUndefined();
  expect(failed.state.view.items).toMatchObject([{ kind: 'notice', tone: 'warning', text: 'no answer' }]);
});

test(verifies('G2:mode-told', 'another window’s mode shows, but not before what was chosen here after it'), () => {
  const tells = (person: Person, mode: SessionMode): string | undefined => person.frame({ type: 'mode_switched', mode }).state.view.mode;
  const person = new Person();
  expect(tells(person, 'strict')).toBe('strict');
  person.type('\x1b[Z\x1b[Z');
  const { mode: chosen } = person.state.view;
  const [first, second] = person.effects.flatMap((effect) => (effect.kind === 'set_mode' ? [effect.mode] : []));
  expect(second).toBe(chosen);
  expect([tells(person, 'strict'), tells(person, first!), tells(person, second!)]).toEqual([chosen, chosen, chosen]);
  expect(tells(person, 'strict')).toBe('strict');
  person.type('\x1b[Z').feed({ kind: 'session', event: { kind: 'chose', mode: 'medium', atMs: 0 } }); // it was refused
  expect(tells(person, 'plan')).toBe('plan');
});

test('another conversation takes nothing from the one before but what is the person’s own', () => {
  const person = new Person().type('/model big\rone\r').frame(started).ask(approval('c')).type('\x15draft');
  const { state } = person.feed({ kind: 'conversation_begun' });
  expect(state).toMatchObject({
    asked: [],
    attention: undefined,
    chosenModel: 'big',
    editor: { text: 'draft' },
    view: { items: [] },
  });
  expect(state.view.notices).toBe(person.type('\x15/cancel\r').state.view.notices - 1);
});

test('commands that people wrote are looked for when one begins to be written', () => {
  const typed = (text: string): readonly ChatEffect[] =>
    reduceChat(newChat(), { kind: 'key', key: { kind: 'text', text }, atMs: 0 }).effects;
  expect(typed('/')).toEqual([{ kind: 'find_customs' }]);
  expect(typed('/git:commit all')).toEqual([{ kind: 'find_customs' }]); // pasted
  expect(typed('a')).toEqual([]);
});

test(verifies('L3:mcp-prompts', 'a prompt that is found only after its line was typed completes its argument'), () => {
  const prompt = { server: 's', name: 'greet', arguments: [{ name: 'whom', required: true }] };
  const customs = promptCommands([prompt]);
  const line = `/${customs[0]!.name} E`;
  const person = new Person().type(line);
  expect(person.effects).toEqual([]);
  expect(person.feed({ kind: 'customs_found', customs }).effects).toEqual([{ kind: 'complete', of: 'argument', path: line }]);
});
