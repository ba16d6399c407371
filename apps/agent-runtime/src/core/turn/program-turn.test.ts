import { describe, expect, test } from 'vitest';
import { type ProgramRecord, SERVER_EXECUTOR, type StepRequest } from '@codelab/bus';
import { SimulatedSession, verifies } from '@codelab/testkit';
import type { PolicyRule } from '@codelab/tools';
import { LIMITS, Scene } from '../__fixtures__/scene.js';

const tool = (name: string) => ({ name, description: `does ${name}`, parameters: { type: 'object' } });
const call = (name: string, args: unknown = {}) => ({ providerId: `p_${name}`, name, arguments: JSON.stringify(args) });
const READ = call('read_file', { path: 'a' });
const WRITE = call('write_file', { path: 'src/a.ts', content: 'x' });

/** A session that a program began, in the middle of its first model request. */
const begun = (asked: Partial<ProgramRecord> = {}, limits = LIMITS) => {
  const child: ProgramRecord = {
    ...{ parent: 'ide', origin: 'proxy', callerTools: [tool('weather')], serverTools: [tool('lookup')] },
    ...{ executorTools: ['read_file', 'write_file'], maxToolRounds: 0, ...asked },
  };
  const scene = new Scene(new SimulatedSession({ child }), limits);
  scene.session.deliver({ content: '' });
  scene.settle();
  return scene;
};
const requestOf = (scene: Scene<SimulatedSession>): StepRequest => JSON.parse(scene.session.step?.request ?? '{}') as StepRequest;
const answer = (scene: Scene<SimulatedSession>, calls: readonly ReturnType<typeof call>[], rules: readonly PolicyRule[] = []): void => {
  scene.session.answer({ text: 'so', toolCalls: calls });
  scene.run({ rules });
};
const end = (scene: Scene<SimulatedSession>) => scene.framesOf('turn_ended').map(({ status, stop }) => [status, stop]);
const lastCalls = (scene: Scene<SimulatedSession>): readonly object[] => {
  const item = scene.history.findLast(({ role }) => role === 'assistant');
  return item?.role === 'assistant' ? item.tool_calls : [];
};

describe('a turn of a program', () => {
  test('is asked with its base and the tools of its request, each name once', () => {
    const scene = begun({
      serverTools: [tool('lookup'), tool('read_file'), tool('git.diff')],
      callerTools: [tool('weather'), tool('lookup')],
    });
    expect(requestOf(scene)).toMatchObject({ origin: 'proxy', hasBase: true, system: '', historyVersion: 0 });
    expect(requestOf(scene).tools.map(({ name }) => name)).toEqual(['read_file', 'write_file', 'lookup', 'weather']);
    expect(scene.history).toEqual([]);
  });

  test(verifies('L3:child-handover', 'hands the calls that only the caller can run over, as they are, once the others have run'), () => {
    const scene = begun();
    const ragged = { ...call('weather'), arguments: '{"city": "Bern" ' };
    answer(scene, [READ, ragged]);
    expect(scene.framesOf('tool_call').map(({ tool_name }) => tool_name)).toEqual(['read_file']);
    expect(end(scene)).toEqual([]);
    const [callId = ''] = scene.sentCalls;
    scene.session.settle(callId, { result: { content: 'text', encoding: 'utf-8' } });
    scene.settle();
    expect(end(scene)).toEqual([['completed', 'handed_over']]);
    expect(lastCalls(scene)).toMatchObject([
      { tool_name: 'read_file', provider_id: 'p_read_file' },
      { tool_name: 'weather', arguments: ragged.arguments, provider_id: 'p_weather' },
    ]);
    expect(scene.history.filter(({ role }) => role === 'tool')).toMatchObject([{ call_id: callId, is_error: false }]);
    expect(scene.session.records).toEqual([]);
  });

  test('that hands over at once asks no model again, and survives a crash while the others run', () => {
    const alone = begun();
    answer(alone, [call('weather')]);
    expect(end(alone)).toEqual([['completed', 'handed_over']]);
    const scene = begun();
    answer(scene, [call('weather'), READ]);
    scene.crash();
    scene.session.settle(scene.sentCalls[0]!, { result: {} });
    scene.settle();
    expect(end(scene)).toEqual([['completed', 'handed_over']]);
  });

  test(verifies('R3:child-rounds', 'runs so many rounds of tools, asks once more, and ends complete when tools are wanted again'), () => {
    const scene = begun({ maxToolRounds: 2 });
    for (let round = 0; round < 2; round += 1) {
      answer(scene, [READ]);
      scene.session.settle(scene.sentCalls.at(-1)!, { result: {} });
      scene.settle();
    }
    expect(scene.sentCalls).toHaveLength(2);
    answer(scene, [READ, WRITE]);
    expect([scene.sentCalls.length, end(scene)]).toEqual([2, [['completed', 'max_tool_rounds']]]);
    expect(lastCalls(scene)).toHaveLength(2);
    const answered = begun({ maxToolRounds: 1 });
    answer(answered, [READ]);
    answered.session.settle(answered.sentCalls[0]!, { result: {} });
    answered.settle();
    answered.session.answer({ text: 'done' });
    answered.settle();
    expect(end(answered)).toEqual([['completed', undefined]]);
  });

  const runRounds = (scene: Scene<SimulatedSession>, rounds: number): void => {
    for (let round = 0; round < rounds; round += 1) {
      answer(scene, [call('read_file', { path: `${String(round)}.ts` })]);
      scene.session.settle(scene.sentCalls.at(-1)!, { result: {} });
      scene.settle();
    }
  };

  test(
    verifies('R3:child-rounds', "ends complete at the runtime's limit, too, where it is the lower one, and says that it was this one"),
    () => {
      const scene = begun({ maxToolRounds: 100 }, { ...LIMITS, maxRounds: 2 });
      runRounds(scene, 1);
      answer(scene, [READ]);
      expect([scene.sentCalls.length, end(scene)]).toEqual([1, [['completed', 'runtime_max_rounds']]]);
    },
  );

  test(verifies('L3:CP4-unlimited', 'that wants no count has none: it runs past the limit of the runtime, until the model ends'), () => {
    const scene = begun({ maxToolRounds: 0 }, { ...LIMITS, maxRounds: 2 });
    runRounds(scene, 7);
    scene.session.answer({ text: 'done' });
    scene.settle();
    expect([scene.sentCalls.length, end(scene)]).toEqual([7, [['completed', undefined]]]);
  });

  test(verifies('L3:CP4-unlimited', 'that wants no count ends at the limit of time all the same'), () => {
    const scene = begun({ maxToolRounds: 0 }, { ...LIMITS, turnTimeoutMs: 1_000 });
    runRounds(scene, 3);
    scene.nowMs += 5_000;
    scene.settle();
    expect(end(scene)).toEqual([['failed', undefined]]);
  });

  test(
    verifies('H1:proxy-origin', 'is asked about wherever the rule that allows does not say that it holds for programs, and says who asks'),
    () => {
      const allow: PolicyRule = { ruleId: 'r1', effect: 'allow', tool: 'write_file', path: 'src/**', scope: 'session' };
      const judged = (rules: readonly PolicyRule[]) => {
        const scene = begun();
        answer(scene, [WRITE], rules);
        return scene.framesOf('tool_call')[0];
      };
      expect(judged([{ ...allow, proxy: true }])).toMatchObject({ state: 'ready', origin: 'proxy' });
      const asked = judged([allow]);
      expect(asked).toMatchObject({ state: 'waiting_approval', origin: 'proxy' });
      expect(asked?.approval?.reason).toMatch(/^a program asks, through llm-proxy: /);
      for (const { rule } of asked?.approval?.proposals ?? []) expect(rule).toMatchObject({ proxy: true });
      expect(asked?.approval?.proposals).not.toHaveLength(0);
    },
  );

  test(verifies('H1:child-server-tool', 'asks before llm-proxy runs a tool of its own, and lets no such tool pass for another'), () => {
    const scene = begun({ serverTools: [tool('lookup'), tool('read_file')] });
    answer(scene, [call('lookup', { q: 1 }), READ]);
    expect(scene.framesOf('tool_call')).toMatchObject([
      { tool_name: 'lookup', state: 'waiting_approval', runs_at: 'server', idempotency: 'unsafe' },
      { tool_name: 'read_file', state: 'ready' },
    ]);
    expect(scene.framesOf('tool_call')[1]).not.toHaveProperty('runs_at');
    expect(scene.session.records.map(({ givenTo }) => givenTo)).toEqual([SERVER_EXECUTOR, '']);
    const reader = new Scene(new SimulatedSession({ ...scene.session.facts, agent: 'ask' }));
    reader.session.deliver({ content: '' });
    reader.settle();
    expect(requestOf(reader).tools.map(({ name }) => name)).toEqual(['read_file', 'weather']);
  });

  test('that is cancelled while a call waits for a human ends cancelled, whatever was to be handed over', () => {
    const scene = begun();
    answer(scene, [WRITE, call('weather')]);
    scene.session.cancel();
    scene.settle();
    expect(end(scene)).toEqual([['cancelled', undefined]]);
    expect(scene.framesOf('approval_resolved')).toMatchObject([{ outcome: 'cancelled' }]);
  });
});
