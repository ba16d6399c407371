import { expect, test } from 'vitest';
import { type SimulatedFacts, SimulatedSession, verifies } from '@codelab/testkit';
import { LIMITS, Scene } from '../__fixtures__/scene.js';

const begin = (facts: Partial<SimulatedFacts> = {}, content = 'hello'): Scene<SimulatedSession> => {
  const scene = new Scene(new SimulatedSession(facts));
  scene.session.deliver({ content });
  scene.settle();
  return scene;
};
const call = (name: string, args: unknown, providerId = 'call_0') => ({ providerId, name, arguments: JSON.stringify(args) });
const read = (path: string) => call('read_file', { path });
const write = (path: string) => call('write_file', { path, content: 'x' });

test('a message starts a turn and asks the model, in one commit', () => {
  const scene = begin();
  expect(scene.frames).toEqual([{ type: 'turn_started', turn_id: 't1', message_ids: ['m1'], model: 'm1' }]);
  expect(scene.history).toEqual([{ role: 'user', turn_id: 't1', message_id: 'm1', content: 'hello', at_ms: 1_000_000 }]);
  const request = JSON.parse(scene.session.step!.request) as Record<string, unknown>;
  expect(request).toMatchObject({ turnId: 't1', model: 'm1', agent: 'coder', vocabulary: 'codelab', historyVersion: 1 });
  expect((request['tools'] as { name: string }[]).map(({ name }) => name)).toContain('git_diff');
  expect(scene.session.facts.title).toBe('hello');
  expect(scene.state.commits).toBe(1);
});

test('an answer without calls ends the turn: one final frame with the whole text', () => {
  const scene = begin();
  scene.session.answer({ text: 'hi', usage: { inputTokens: 7, outputTokens: 3, costUsd: 0.5 } });
  scene.settle();
  const [, message, ended] = scene.frames;
  expect(message).toEqual({ type: 'assistant_message', message_id: expect.any(String), token: 'hi', is_final: true, content: 'hi' });
  expect(ended).toEqual({
    type: 'turn_ended',
    turn_id: 't1',
    message_ids: ['m1'],
    model: 'm1',
    status: 'completed',
    usage: { input_tokens: 7, output_tokens: 3, cost_usd: 0.5 },
  });
  expect(scene.history.at(-1)).toMatchObject({ role: 'assistant', content: 'hi', tool_calls: [] });
  expect(scene.session.turnId).toBe('');
  expect(scene.state.turn).toBeUndefined();
});

test(verifies('L3:thoughts-kept', 'what a model thought before its calls is kept with them, and shown to nobody'), () => {
  const scene = begin();
  const thinking = [{ kind: 'thinking' as const, text: 'private', signature: 'sig' }];
  scene.session.answer({ text: 'looking', toolCalls: [read('a.txt')], thinking, finish: 'tool_calls' });
  scene.settle();
  expect(scene.history.at(-1)).toMatchObject({ role: 'assistant', content: 'looking', thinking });
  expect(JSON.stringify(scene.frames)).not.toContain('private');
});

test('an empty answer still has its final frame', () => {
  const scene = begin();
  scene.session.answer({ text: '' });
  scene.settle();
  expect(scene.framesOf('assistant_message')).toMatchObject([{ token: '', is_final: true, content: '' }]);
});

test('a final text over 1 MB leaves its content out and says so', () => {
  const scene = begin();
  const text = 'é'.repeat(600_000);
  scene.session.answer({ text });
  scene.settle();
  const frames = scene.framesOf('assistant_message');
  expect(frames.map(({ token }) => token).join('')).toBe(text);
  expect(frames.map(({ is_final }) => is_final)).toEqual([false, true]);
  expect(frames.at(-1)).toMatchObject({ content_truncated: true });
  expect(frames.at(-1)).not.toHaveProperty('content');
});

test(verifies('R5:parallel-order', 'calls of one answer open together, and their results stand in the order of the calls'), () => {
  const scene = begin();
  scene.session.answer({ text: 'let me look', toolCalls: [read('a'), read('b'), call('git_diff', { path: '.' })], finish: 'tool_calls' });
  scene.settle();
  expect(scene.framesOf('assistant_message')).toMatchObject([{ token: 'let me look', is_final: false }]);
  expect(scene.framesOf('tool_call').map(({ tool_name, state, fence }) => [tool_name, state, fence])).toEqual([
    ['read_file', 'ready', 1],
    ['read_file', 'ready', 1],
    ['git.diff', 'ready', 1],
  ]);
  const [a, b, c] = scene.sentCalls;
  scene.session.settle(c!, { result: { diff: '3' } });
  scene.settle();
  scene.session.settle(a!, { result: { content: '1', encoding: 'utf-8' } });
  scene.settle();
  expect(scene.session.step).toBeUndefined();
  scene.session.settle(b!, { error: { code: 'FILE_NOT_FOUND', message: 'no b' } });
  scene.settle();
  expect(scene.history.slice(2).map((item) => 'content' in item && item.content)).toEqual([
    '{"content":"1","encoding":"utf-8"}',
    'Error [FILE_NOT_FOUND]: no b',
    '{"diff":"3"}',
  ]);
  expect(scene.session.records).toEqual([]);
  expect(JSON.parse(scene.session.step!.request)).toMatchObject({ historyVersion: 5 });
});

test('a result is told to the model byte for byte', () => {
  const scene = begin();
  scene.session.answer({ toolCalls: [read('a')] });
  scene.settle();
  const callId = scene.sentCalls[0]!;
  const frame = `{"type":"tool_result","call_id":"${callId}","result":{"content":"\\u2028","encoding":"utf-8","n":9007199254740991, "e":1e-7,"a":[],"o":{}}}`;
  scene.session.push({ kind: 'result', callId, frame, local: false });
  scene.settle();
  expect(scene.history.at(-1)).toMatchObject({
    content: '{"content":"\\u2028","encoding":"utf-8","n":9007199254740991, "e":1e-7,"a":[],"o":{}}',
  });
});

test(verifies('H1:asked-before-sent', 'a dangerous call is sent undecided, and only a decision makes it ready'), () => {
  const scene = begin();
  scene.session.answer({ toolCalls: [write('a.txt')] });
  scene.settle();
  const [sent] = scene.framesOf('tool_call');
  expect(sent).toMatchObject({ requires_approval: true, state: 'waiting_approval', idempotency: 'unsafe' });
  expect(sent?.approval).toMatchObject({ risk: 'medium', choices: ['approve', 'edit', 'reject'] });
  scene.pass(86_400_000 * 40);
  expect(scene.session.records[0]?.state).toBe('waiting_approval');
  expect(scene.session.decide(sent!.call_id, { outcome: 'approved' })).toBe(true);
  scene.settle();
  scene.session.settle(sent!.call_id, { result: { success: true, bytes_written: 1 } });
  scene.settle();
  expect(scene.history.at(-1)).toMatchObject({ role: 'tool', is_error: false });
});

test('calls that must not run are not sent, and the model is told at once', () => {
  const scene = begin({ agent: 'ask' });
  scene.session.answer({
    toolCalls: [
      call('write_file', { path: 'a', content: '' }),
      call('read_file', { wrong: 1 }),
      { providerId: 'x', name: 'rm_rf', arguments: '' },
    ],
  });
  scene.settle();
  expect(scene.framesOf('tool_call')).toEqual([]);
  expect(scene.session.records).toEqual([]);
  const results = scene.history.filter((item) => item.role === 'tool').map(({ content }) => content);
  expect(results[0]).toMatch(/^Error \[TOOL_NOT_FOUND\]/); // the mode doesn't show it
  expect(results[1]).toMatch(/^Error \[INVALID_ARGUMENTS\]: .*"path" is missing/);
  expect(results[2]).toMatch(/^Error \[TOOL_NOT_FOUND\]: .*rm_rf.*read_file/);
  expect(scene.session.step).toBeDefined();
});

test("a policy's refusal has its own code", () => {
  const scene = begin({ agent: 'architect' });
  scene.session.answer({ toolCalls: [write('src/a.ts'), write('docs/a.md')] });
  scene.settle();
  expect(scene.framesOf('tool_call').map(({ args }) => args)).toEqual([{ path: 'docs/a.md', content: 'x' }]);
  scene.session.decide(scene.sentCalls[0]!, { outcome: 'rejected', feedback: 'not now' });
  scene.settle();
  const results = scene.history.filter((item) => item.role === 'tool').map(({ content }) => content);
  expect(results[0]).toMatch(/^Error \[DENIED_BY_POLICY\]: .*only \*\.md/);
  expect(results[1]).toMatch(/^Error \[DENIED_BY_USER\]: .*not now/);
});

test('calls of an answer that was cut off are not run', () => {
  const scene = begin();
  scene.session.answer({ toolCalls: [read('a'), { ...read('b'), arguments: '{"path":"b' }], finish: 'length' });
  scene.settle();
  expect(scene.framesOf('tool_call')).toEqual([]);
  const results = scene.history.filter((item) => item.role === 'tool');
  expect(results.map(({ content }) => content)).toEqual([
    expect.stringMatching(/INVALID_ARGUMENTS.*cut off/),
    expect.stringMatching(/cut off/),
  ]);
});

test('arguments that are no object never get into the history as such', () => {
  const scene = begin();
  scene.session.answer({ toolCalls: [{ providerId: 'p', name: 'read_file', arguments: '{"path":' }] });
  scene.settle();
  expect(scene.history[1]).toMatchObject({
    role: 'assistant',
    tool_calls: [{ arguments: '{}', provider_id: 'p', tool_name: 'read_file' }],
  });
});

test('a model that walks in circles is stopped by a human', () => {
  const scene = begin();
  for (let round = 0; round < 2; round += 1) {
    scene.session.answer({ toolCalls: [read('a')] });
    scene.settle();
    scene.session.settle(scene.sentCalls.at(-1)!, { result: { content: '' } });
    scene.settle();
  }
  scene.session.answer({ toolCalls: [read('a')] });
  scene.settle();
  expect(scene.framesOf('tool_call').map(({ requires_approval }) => requires_approval)).toEqual([false, false, true]);
  expect(scene.framesOf('tool_call').at(-1)?.approval).toMatchObject({ reason: expect.stringMatching(/^loop: /), risk: 'medium' });
});

test('a human who is asked the same thing again is not asked whether to be asked', () => {
  const scene = begin();
  for (let round = 0; round < 4; round += 1) {
    scene.session.answer({ toolCalls: [call('prompt_user', { message: '?', actions: ['a'] })] });
    scene.settle();
    scene.session.settle(scene.sentCalls.at(-1)!, { result: { action: 'a' } });
    scene.settle();
  }
  expect(scene.framesOf('tool_call').map(({ requires_approval }) => requires_approval)).toEqual([false, false, false, false]);
});

test(verifies('R3:round-limit', 'a turn that needs more model requests than it may fails, with every result in the history'), () => {
  const scene = new Scene(new SimulatedSession(), { ...LIMITS, maxRounds: 2, turnTimeoutMs: 60_000, defaultModel: '' });
  scene.session.deliver({ content: 'go' });
  scene.settle();
  for (const path of ['a', 'b']) {
    scene.session.answer({ toolCalls: [read(path)] });
    scene.settle();
    scene.session.settle(scene.sentCalls.at(-1)!, { result: {} });
    scene.settle();
  }
  expect(scene.framesOf('turn_ended')).toMatchObject([
    { status: 'failed', error: { code: 'TURN_FAILED', message: expect.stringMatching(/2 model requests/) } },
  ]);
  expect(scene.history.map(({ role }) => role)).toEqual(['user', 'assistant', 'tool', 'assistant', 'tool']);
});

test('the wall clock counts work and not people', () => {
  const scene = begin();
  scene.pass(1_000_000);
  scene.session.answer({ toolCalls: [write('a')] });
  scene.settle();
  scene.pass(86_400_000);
  scene.session.decide(scene.sentCalls[0]!, { outcome: 'approved', atMs: scene.nowMs });
  scene.settle();
  scene.session.settle(scene.sentCalls[0]!, { result: {} });
  scene.settle();
  expect(scene.session.step).toBeDefined();
  scene.pass(799_999);
  expect(scene.framesOf('turn_ended')).toEqual([]);
  scene.pass(1);
  expect(scene.framesOf('turn_ended')).toMatchObject([{ status: 'failed', error: { message: expect.stringMatching(/1800 seconds/) } }]);
});

test('a model that nobody named is named by its answer', () => {
  const scene = new Scene(new SimulatedSession({ model: '' }), {
    maxRounds: 9,
    turnTimeoutMs: 60_000,
    approvalTimeoutMs: 0,
    defaultModel: '',
    defaultVocabulary: 'auto',
  });
  scene.session.deliver({ content: 'go' });
  scene.settle();
  expect(JSON.parse(scene.session.step!.request)).toMatchObject({ model: '' });
  scene.session.answer({ text: 'x', model: 'the-default' });
  scene.settle();
  expect([scene.framesOf('turn_started')[0]?.model, scene.framesOf('turn_ended')[0]?.model]).toEqual(['offline', 'the-default']);
});

test('a message may name the agent and the model of its turn alone', () => {
  const scene = new Scene(new SimulatedSession());
  scene.session.deliver({ content: 'x', agent: 'ask', model: 'other' });
  scene.settle();
  expect(JSON.parse(scene.session.step!.request)).toMatchObject({ model: 'other', agent: 'ask' });
  scene.session.answer();
  scene.settle();
  scene.session.deliver({ content: 'y' });
  scene.settle();
  expect(JSON.parse(scene.session.step!.request)).toMatchObject({ model: 'm1', agent: 'coder' });
});

test('a switched agent counts from the next model request', () => {
  const scene = begin();
  scene.session.push({ kind: 'agent', agent: 'ask' });
  scene.settle();
  scene.session.answer({ toolCalls: [write('a')] });
  scene.settle();
  expect(scene.framesOf('tool_call')).toEqual([]);
  expect(JSON.parse(scene.session.step!.request)).toMatchObject({ agent: 'ask' });
});

test('a session that nobody executes for has no tools to offer', () => {
  const scene = begin({ executor: '', executorTools: '' });
  expect(JSON.parse(scene.session.step!.request)).toMatchObject({ tools: [], system: expect.stringMatching(/No client/) });
});

test("a client's own tool is offered under a prefix, asked about, and called by its own name", () => {
  const tool = {
    name: 'run_tests',
    description: 'Runs the tests.',
    input_schema: { type: 'object', properties: { x: { pattern: '(a+)+$' } } },
    readonly: true,
  };
  const scene = begin({ executorTools: JSON.stringify(['read_file', tool, { ...tool, name: 'write_file' }]) });
  const { tools } = JSON.parse(scene.session.step!.request) as { tools: { name: string }[] };
  expect(tools.map(({ name }) => name)).toEqual(['read_file', 'client__run_tests']);
  scene.session.answer({ toolCalls: [call('client__run_tests', { x: 'aaa' })] });
  scene.settle();
  expect(scene.framesOf('tool_call')).toMatchObject([{ tool_name: 'run_tests', requires_approval: true, idempotency: 'unsafe' }]);
});

test('statuses of tools are said to those who read them, with one name from the first letter to the result', () => {
  const scene = begin({ capabilities: 'tool_status agent_status' });
  const { stepId } = scene.session.step!;
  scene.run({ deltas: [{ stepId, attempt: 1, offset: 0, text: '', tool: { index: 0, name: 'write_file' } }] });
  scene.session.answer({ toolCalls: [write('a')] });
  scene.settle();
  scene.session.decide(scene.sentCalls[0]!, { outcome: 'approved' });
  scene.settle();
  scene.session.settle(scene.sentCalls[0]!, { result: { success: true, bytes_written: 1 } });
  scene.settle();
  const statuses = scene.framesOf('tool_status');
  expect(statuses.map(({ status }) => status)).toEqual(['generating', 'generated', 'waiting_approval', 'calling', 'done']);
  expect(new Set(statuses.map(({ call_id }) => call_id))).toEqual(new Set(scene.sentCalls));
});

test(verifies('R3:fault', 'a step that cannot be computed ends the turn as failed, each call with a result'), () => {
  const scene = begin();
  scene.session.answer({ toolCalls: [read('a'), read('b')] });
  scene.settle();
  scene.session.settle(scene.sentCalls[0]!, { result: {} });
  scene.session.push({ kind: 'journal', calls: 'not JSON' });
  const { events } = scene.run();
  expect(events).toContainEqual({ kind: 'fault', cause: expect.any(SyntaxError) });
  expect(scene.framesOf('turn_ended')).toMatchObject([{ status: 'failed', error: { code: 'INTERNAL' } }]);
  expect(scene.history.filter(({ role }) => role === 'tool')).toHaveLength(2);
  expect(scene.session.inbox).toEqual([]);
  scene.session.deliver({ content: 'again' });
  scene.settle();
  expect(scene.framesOf('turn_started')).toHaveLength(2);
});

test('a turn that the session names and nothing else knows of ends as failed', () => {
  const scene = new Scene(new SimulatedSession());
  scene.session.turnId = 't9';
  scene.run({ orphanTurnId: 't9', records: [] });
  expect(scene.framesOf('turn_ended')).toMatchObject([{ turn_id: 't9', status: 'failed', error: { code: 'INTERNAL' } }]);
  expect(scene.session.turnId).toBe('');
});

test('and so it does where somebody has cancelled it', () => {
  const scene = new Scene(new SimulatedSession());
  scene.session.turnId = 't9';
  scene.session.cancel();
  scene.run({ orphanTurnId: 't9', records: [] });
  expect(scene.framesOf('turn_ended')).toMatchObject([{ turn_id: 't9' }]);
  expect(scene.session.turnId).toBe('');
});

test("what a client's journal knows and the session doesn't is put before the model and the human", () => {
  const scene = begin();
  scene.session.push({ kind: 'journal', calls: '[{"call_id":"call_x","args_sha256":"","state":"unknown"}]' });
  scene.settle();
  expect(scene.history.at(-1)).toMatchObject({ role: 'note', content: expect.stringMatching(/call_x \(begun, its outcome is unknown\)/) });
});
