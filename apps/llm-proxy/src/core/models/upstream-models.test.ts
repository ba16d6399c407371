import { expect, test } from '@jest/globals';
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
      upstream('good', async () => [`m${String((asked += 1))}`]),
      upstream('bad', async () => {
        if (fails) throw new LlmError('unavailable', 'away');
        return ['late'];
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
  let answer: (names: string[]) => void = () => undefined;
  const { scene, models } = stage(
    upstream('slow', () => new Promise((resolve) => (answer = resolve))),
    upstream('good', async () => ['m']),
  );
  const waiting = models.refresh();
  scene.endWait();
  await waiting;
  expect([models.of('slow'), models.of('good')]).toEqual([[], ['m']]);
  const again = models.refresh(); // the same request goes on
  answer(['s']);
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
  expect(readModelList(JSON.stringify({ data }))).toEqual(['a', 'b c']);
  expect(readModelList(JSON.stringify({ data: Array.from({ length: 3_000 }, (_, n) => ({ id: `m${String(n)}` })) }))).toHaveLength(2_000);
  for (const text of ['', '<html>', '[]', '{"data":7}', 'null']) expect(() => readModelList(text)).toThrow('no list of models');
});
