import { expect, test } from 'vitest';
import { LlmError } from '@codelab/llm';
import { verifies } from '@codelab/testkit';
import { scriptedTarget } from '../chain/__fixtures__/scripted-target.js';
import type { Upstream } from '../upstreams/upstream.js';
import { readModelList } from '../upstreams/read-model-list.js';
import { UpstreamModels } from './upstream-models.js';

const upstream = (name: string, listModels?: Upstream['listModels']): Upstream =>
  Object.assign(scriptedTarget(name, []).upstream, listModels && { listModels });

function stage(...upstreams: Upstream[]) {
  const scene = { nowMs: 0, failed: [] as string[], endWait: () => undefined as void };
  const models = new UpstreamModels(upstreams, {
    now: () => scene.nowMs,
    wait: () => new Promise((resolve) => (scene.endWait = () => resolve(undefined))),
    onFailed: (name) => scene.failed.push(name),
  });
  return { scene, models };
}

test(
  verifies('L3:listed-models', 'a list is read once a minute, whoever asks at the same time; one that failed is asked again after 15 s'),
  async () => {
    let [asked, fails] = [0, true];
    const { scene, models } = stage(
      upstream('good', async () => [{ id: `m${String((asked += 1))}` }]),
      upstream('bad', async () => {
        if (fails) throw new LlmError('unavailable', 'away');
        return [{ id: 'late' }];
      }),
      upstream('mute'),
    );
    await Promise.all([models.refresh(), models.refresh()]);
    expect([asked, models.of('good'), models.of('bad'), models.of('mute'), models.of('nobody'), scene.failed]).toEqual([
      1,
      ['m1'],
      [],
      [],
      [],
      ['bad'],
    ]);
    fails = false;
    scene.nowMs = 15_000;
    await models.refresh();
    expect([asked, models.of('bad')]).toEqual([1, ['late']]);
    scene.nowMs = 60_000;
    await models.refresh();
    expect([asked, models.of('good')]).toEqual([2, ['m2']]);
  },
);

test(verifies('L3:listed-models', 'one that hangs keeps nobody waiting, and what it says later counts then'), async () => {
  let answer: (models: { id: string }[]) => void = () => undefined;
  const { scene, models } = stage(
    upstream('slow', () => new Promise((resolve) => (answer = resolve))),
    upstream('good', async () => [{ id: 'm' }]),
  );
  const waiting = models.refresh();
  scene.endWait();
  await waiting;
  expect([models.of('slow'), models.of('good')]).toEqual([[], ['m']]);
  const again = models.refresh(); // the same request goes on
  answer([{ id: 's' }]);
  await again;
  expect(models.of('slow')).toEqual(['s']);
});

test('of an answer only names are read, so many and no longer than they may be', () => {
  const data = [
    { id: 'a' },
    { id: 'a' },
    { id: 'b c' },
    { id: ' x' },
    { id: '' },
    { id: 7 },
    null,
    'x',
    { id: 'a\nb' },
    { id: 'y'.repeat(201) },
  ];
  expect(readModelList(JSON.stringify({ data }))).toEqual([{ id: 'a' }, { id: 'b c' }]);
  expect(readModelList(JSON.stringify({ data: Array.from({ length: 3_000 }, (_, n) => ({ id: `m${String(n)}` })) }))).toHaveLength(2_000);
  for (const text of ['', '<html>', '[]', '{"data":7}', 'null']) expect(() => readModelList(text)).toThrow('no list of models');
});

test(verifies('R3:window-known', 'what servers say of their models is read, whatever they call it'), () => {
  const data = [
    { id: 'vllm', max_model_len: 32_768 },
    { id: 'openrouter', context_length: 200_000, top_provider: { max_completion_tokens: 8_192 } },
    { id: 'groq', context_window: 131_072, max_completion_tokens: 65_536 },
    { id: 'lmstudio', loaded_context_length: 4_096, max_context_length: 131_072 },
    { id: 'claude', max_input_tokens: 200_000, max_tokens: 64_000, display_name: 'Claude' },
    { id: 'odd', context_length: '32k', max_model_len: -1, max_tokens: 1.5, display_name: '' },
  ];
  expect(readModelList(JSON.stringify({ data }))).toEqual([
    { id: 'vllm', contextTokens: 32_768 },
    { id: 'openrouter', contextTokens: 200_000, maxOutputTokens: 8_192 },
    { id: 'groq', contextTokens: 131_072, maxOutputTokens: 65_536 },
    { id: 'lmstudio', contextTokens: 4_096 },
    { id: 'claude', contextTokens: 200_000, maxOutputTokens: 64_000, displayName: 'Claude' },
    { id: 'odd' },
  ]);
});
