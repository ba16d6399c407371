import { expect, test } from 'vitest';
import { SimulatedSession } from '@codelab/testkit';
import { Scene } from '../__fixtures__/scene.js';
import { parseState, serialiseState } from './serialise-state.js';
import { EMPTY_STATE } from './turn-state.js';

const withResults = (): Scene<SimulatedSession> => {
  const scene = new Scene(new SimulatedSession());
  scene.session.deliver({ content: 'hello' });
  scene.settle();
  const toolCalls = ['a', 'b', 'c'].map((path) => ({ providerId: path, name: 'read_file', arguments: JSON.stringify({ path }) }));
  scene.session.answer({ toolCalls });
  scene.settle();
  scene.session.settle(scene.sentCalls[0]!, { result: { content: 'long '.repeat(1_000), encoding: 'utf-8' } });
  scene.settle();
  return scene;
};

test('a state comes back as it was, with what the records hold', () => {
  const scene = withResults();
  const before = scene.state;
  scene.crash();
  expect(scene.state).toEqual(before);
});

test('a result that its record holds is not stored twice', () => {
  const scene = withResults();
  expect(scene.session.state).not.toContain('long');
  expect(scene.session.state.length).toBeLessThan(3_000);
});

test('a result that its record has lost is not known', () => {
  const scene = withResults();
  const parsed = parseState(scene.session.state, { calls: [], historyVersion: 0 });
  expect(JSON.stringify(parsed)).toMatch(/Error \[OUTCOME_UNKNOWN\]/);
});

test('a session in which nothing has happened has the empty state', () =>
  expect(parseState('', { calls: [], historyVersion: 3 })).toEqual({ kind: 'state', state: { ...EMPTY_STATE, historyVersion: 3 } }));

test('the state of a newer release is left alone', () => {
  const text = serialiseState(EMPTY_STATE).replace('"schema":3', '"schema":4');
  expect(parseState(text, { calls: [], historyVersion: 0 })).toEqual({ kind: 'newer', schema: 4 });
});

test.each(['{', '[]', 'null', '{"schema":1,"commits":1,"reported":[],"turn":{"phase":{"kind":"calling"}}}'])(
  '%j is broken, and says so',
  (text) => {
    const parsed = parseState(text, { calls: [], historyVersion: 0 });
    expect(['broken', 'state']).toContain(parsed.kind);
    if (text !== '[]') expect(parsed.kind).toBe('broken');
  },
);

test('the calls of the first releases, which had all fields in every state, are read', () => {
  const scene = withResults();
  const old = {
    schema: 1,
    callId: 'call_x',
    toolName: 'lookup',
    state: 'settled',
    closed: true,
    handedOver: true,
    deadlineMs: 0,
    human: false,
  };
  const stored = JSON.parse(scene.session.state) as { turn: { phase: unknown } };
  const phase = { kind: 'calling', calls: [old] };
  const text = JSON.stringify({ ...stored, schema: 1, turn: { ...stored.turn, phase } });
  const parsed = parseState(text, { calls: [], historyVersion: 0 });
  const calls = [{ callId: 'call_x', toolName: 'lookup', deadlineMs: 0, human: false, state: 'handed_over' }];
  expect(parsed).toMatchObject({ kind: 'state', state: { turn: { phase: { kind: 'calling', calls } } } });
});
