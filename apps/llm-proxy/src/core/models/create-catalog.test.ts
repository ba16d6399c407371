import { expect, test } from 'vitest';
import { ApiError, defaultModel } from '@codelab/llm';
import { verifies } from '@codelab/testkit';
import { scriptedTarget } from '../chain/__fixtures__/scripted-target.js';
import { createCatalog } from './create-catalog.js';
import type { ModelsFile } from './models-file.js';
import { NO_MODELS_FILE } from './parse-models-file.js';

const upstream = (name: string, type: 'openai' | 'anthropic') => Object.assign(scriptedTarget(name, []).upstream, { type });
const OPENAI = upstream('openai', 'openai');
const ANTHROPIC = upstream('anthropic', 'anthropic');
const GROQ = upstream('groq', 'openai');
const offline = scriptedTarget('offline', []).upstream;

const catalog = (
  configured: readonly (typeof OPENAI)[],
  file: Partial<ModelsFile> = {},
  more: { defaultModel?: string; random?: () => number } = {},
) => createCatalog({ upstreams: { offline, configured }, file: { ...NO_MODELS_FILE, ...file }, random: () => 0, ...more });

const shown = (targets: ReturnType<ReturnType<typeof catalog>['resolve']>) =>
  targets.map((target) => `${target.upstream.name}:${target.model}`);

function refusal(run: () => unknown): ApiError {
  try {
    run();
  } catch (error) {
    if (error instanceof ApiError) return error;
    throw error;
  }
  throw new Error('not refused');
}

test.each([
  ['offline', 'offline:offline'],
  ['offline-1', 'offline:offline-1'],
  ['Offline', 'offline:Offline'],
  ['offlinea', 'openai:offlinea'],
  ['gpt-5.4', 'openai:gpt-5.4'],
  ['openai/gpt-5.4', 'openai:gpt-5.4'],
  ['OpenAI/o3', 'openai:o3'],
  ['deepseek/deepseek-v4', 'openai:deepseek/deepseek-v4'],
  ['llama3:8b', 'openai:llama3:8b'],
  ['', 'openai:gpt-5.4'],
  ['  ', 'openai:gpt-5.4'],
])(verifies('L3:routing', 'with one upstream %j goes to %s'), (name, target) => {
  expect(shown(catalog([OPENAI]).resolve(name))).toEqual([target]);
});

test.each([
  ['gpt-5.4', 'openai:gpt-5.4'],
  ['o4-mini', 'openai:o4-mini'],
  ['openai/anything', 'openai:anything'],
  ['claude-sonnet-4-5', 'anthropic:claude-sonnet-4-5'],
  ['anthropic/claude-x', 'anthropic:claude-x'],
  ['groq/llama-4', 'groq:llama-4'],
  ['GROQ/llama-4', 'groq:llama-4'],
  ['offline', 'offline:offline'],
])(verifies('L3:routing-vendors', 'with several upstreams %j goes to %s'), (name, target) => {
  expect(shown(catalog([OPENAI, ANTHROPIC, GROQ]).resolve(name))).toEqual([target]);
});

test.each<[what: string, configured: (typeof OPENAI)[], target: string | RegExp]>([
  ['the only server of its type', [ANTHROPIC, GROQ], 'groq:gpt-oss'],
  ['nobody of two that could be meant', [GROQ, upstream('ollama', 'openai')], /no model "gpt-oss"/],
  ['nobody without such a server, saying what to set', [ANTHROPIC], /OPENAI_API_KEY, or OPENAI_BASE_URL/],
])('a name of OpenAI goes to %s', (_what, configured, target) => {
  const models = catalog(configured);
  if (typeof target === 'string') return expect(shown(models.resolve('gpt-oss'))).toEqual([target]);
  return expect(() => models.resolve('gpt-oss')).toThrow(target);
});

const OLLAMA = Object.assign(upstream('ollama', 'openai'), { takesAnyName: true });
const LOCAL_OPENAI = Object.assign(upstream('openai', 'openai'), { takesAnyName: true });

test.each<[what: string, configured: (typeof OPENAI)[], target: string | undefined]>([
  ['OPENAI_BASE_URL beside Anthropic', [LOCAL_OPENAI, ANTHROPIC], 'openai:qwen3'],
  ['one compatible server beside the vendors', [OPENAI, ANTHROPIC, OLLAMA], 'ollama:qwen3'],
  ['that of the environment among several', [OLLAMA, LOCAL_OPENAI, ANTHROPIC], 'openai:qwen3'],
  ['nobody of two', [OLLAMA, Object.assign(upstream('vllm', 'openai'), { takesAnyName: true })], undefined],
  ["nobody where there are the vendors' own servers only", [OPENAI, ANTHROPIC], undefined],
])(verifies('L3:unknown-to-compatible', 'an unknown name goes to %s'), (_, configured, target) => {
  const models = catalog(configured);
  if (target === undefined) return expect(() => models.resolve('qwen3')).toThrow(/no model "qwen3"/);
  expect(shown(models.resolve('qwen3'))).toEqual([target]);
  expect(shown(models.resolve('claude-x'))).not.toEqual([target.replace('qwen3', 'claude-x')]);
});

test(
  verifies('L3:listed-models', 'a name that one server lists goes there, and the list has each model by a name that leads to it'),
  () => {
    const lists: Record<string, string[]> = { ollama: ['qwen3', 'fast', 'gpt-mirror', 'shared'], vllm: ['glm', 'shared'] };
    const configured = [OLLAMA, Object.assign(upstream('vllm', 'openai'), { takesAnyName: true }), ANTHROPIC];
    const listed = { of: (name: string) => lists[name] ?? [], refresh: async () => undefined };
    const models = createCatalog({
      ...{ upstreams: { offline, configured }, listed, random: () => 0 },
      file: { ...NO_MODELS_FILE, models: { 'gpt-mirror': { upstream: 'ollama', model: 'other' } }, aliases: { fast: 'gpt-mirror' } },
    });
    expect(models.list().map(({ id }) => id)).toEqual([
      'claude-sonnet-4-5',
      'gpt-mirror',
      'fast',
      'offline',
      'qwen3',
      'ollama/fast',
      'ollama/gpt-mirror',
      'shared',
      'glm',
      'vllm/shared',
    ]);
    const leads = ['qwen3', 'ollama/fast', 'shared', 'glm', 'vllm/shared'].map((name) => shown(models.resolve(name))[0]);
    expect(leads).toEqual(['ollama:qwen3', 'ollama:fast', 'ollama:shared', 'vllm:glm', 'vllm:shared']);
    expect(() => models.resolve('nobody')).toThrow(/no model/);
  },
);

test(
  verifies('L3:unknown-model', 'an unknown model is refused with the nearest names, and with what to set where nothing is configured'),
  () => {
    const several = catalog([OPENAI, ANTHROPIC], {
      models: { 'llama-4-scout': { upstream: 'openai' }, 'llama-4-maverick': { upstream: 'openai' } },
    });
    const unknown = refusal(() => several.resolve('lama-4-scout'));
    expect(unknown).toMatchObject({ kind: 'not_found', code: 'model_not_found', param: 'model' });
    expect(unknown.message).toMatch(/"lama-4-scout".*did you mean "llama-4-scout", "llama-4-maverick"\?.*"openai\/…", "anthropic\/…"/);
    expect(refusal(() => several.resolve('zzz')).message).toContain('GET /v1/models');
    expect(refusal(() => catalog([]).resolve('gpt-5.4')).message).toMatch(
      /"gpt-5.4".*OPENAI_API_KEY.*OPENAI_BASE_URL.*ANTHROPIC_API_KEY.*"offline"/,
    );
    expect(refusal(() => several.resolve('x'.repeat(1e6))).message.length).toBeLessThan(500);
  },
);

const FILE: Partial<ModelsFile> = {
  models: {
    fast: { upstream: 'groq', model: 'llama-4-scout', context_tokens: 8_000, max_output_tokens: 1_000 },
    'gpt-5.4': { upstream: 'groq', model: 'gpt-mirror' },
    'gpt-5*': { upstream: 'openai', price: { input: 1, output: 2 } },
    'gpt-5-nano*': { upstream: 'openai', price: { input: 0, output: 0 } },
  },
  aliases: { small: 'fast', best: 'careful' },
  routes: {
    careful: {
      models: [
        { model: 'gpt-5.4', weight: 1 },
        { model: 'fast', weight: 3 },
      ],
      fallback: ['claude-sonnet-4-5', 'fast', 'offline'],
    },
    even: {
      models: [
        { model: 'fast', weight: 0 },
        { model: 'gpt-5.4', weight: 0 },
      ],
    },
  },
};
const ALL = [OPENAI, ANTHROPIC, GROQ];

test('the models file says more: models, aliases, beginnings of names', () => {
  const models = catalog(ALL, FILE);
  expect(shown(models.resolve('fast'))).toEqual(['groq:llama-4-scout']);
  expect(shown(models.resolve('small'))).toEqual(['groq:llama-4-scout']);
  expect(shown(models.resolve('gpt-5.4'))).toEqual(['groq:gpt-mirror']);
  expect(models.resolve('gpt-5-mini')[0]).toMatchObject({ model: 'gpt-5-mini', entry: { price: { input: 1 } } });
  expect(models.resolve('gpt-5-nano')[0]).toMatchObject({ model: 'gpt-5-nano', entry: { price: { input: 0 } } });
  expect(models.resolve('openai/gpt-5-mini')[0]).toMatchObject({ model: 'gpt-5-mini', entry: { price: { input: 1 } } });
  expect(models.resolve('openai/gpt-5.4')[0]).toMatchObject({ upstream: OPENAI, model: 'gpt-5.4', entry: {} });
});

test.each([
  [0, ['groq:gpt-mirror', 'groq:llama-4-scout', 'anthropic:claude-sonnet-4-5', 'offline:offline']],
  [0.24, ['groq:gpt-mirror', 'groq:llama-4-scout', 'anthropic:claude-sonnet-4-5', 'offline:offline']],
  [0.25, ['groq:llama-4-scout', 'groq:gpt-mirror', 'anthropic:claude-sonnet-4-5', 'offline:offline']],
  [0.999, ['groq:llama-4-scout', 'groq:gpt-mirror', 'anthropic:claude-sonnet-4-5', 'offline:offline']],
])(verifies('L3:routes', 'a route draws by weight (%d), then come the others and the fallbacks, each once'), (random, targets) => {
  const models = catalog(ALL, FILE, { random: () => random });
  expect(shown(models.resolve('careful'))).toEqual(targets);
  expect(shown(models.resolve('best'))).toEqual(targets);
  expect(shown(models.resolve('even'))).toEqual(['groq:llama-4-scout', 'groq:gpt-mirror']);
});

test('the list has every name that stands for one model or route, with its sizes', () => {
  const models = catalog(ALL, FILE);
  expect(models.list().map(({ id }) => id)).toEqual(['gpt-5.4', 'fast', 'careful', 'even', 'small', 'best', 'offline']);
  expect(models.find('small')).toEqual({
    id: 'small',
    upstream: 'groq',
    model: 'llama-4-scout',
    contextTokens: 8_000,
    maxOutputTokens: 1_000,
  });
  expect(models.find('claude-opus-4-5')).toMatchObject({ id: 'claude-opus-4-5', upstream: 'anthropic' });
  expect([models.find('nobody'), models.find(''), models.find('constructor')]).toEqual([undefined, undefined, undefined]);
});

test.each<[configured: (typeof OPENAI)[], file: Partial<ModelsFile>, set: string | undefined, expected: string]>([
  [[OPENAI, ANTHROPIC], FILE, undefined, 'gpt-5.4'],
  [[ANTHROPIC], {}, undefined, 'claude-sonnet-4-5'],
  [[GROQ], FILE, undefined, 'fast'],
  [[GROQ], {}, undefined, 'offline'],
  [[], {}, undefined, 'offline'],
  [[OPENAI], {}, 'mine', 'mine'],
  [[GROQ], FILE, 'offline', 'offline'],
])('the default model %#', (configured, file, set, expected) => {
  expect(catalog(configured, file, set === undefined ? {} : { defaultModel: set }).defaultModel).toBe(expected);
});

test('the default model is the configured one, else what there is', () => {
  expect(defaultModel('m', { openai: false, anthropic: false })).toBe('m');
  expect(defaultModel(undefined, { openai: false, anthropic: false })).toBe('offline');
  expect(defaultModel(undefined, { openai: true, anthropic: true })).toBe('gpt-5.4');
  expect(defaultModel(undefined, { openai: false, anthropic: true })).toBe('claude-sonnet-4-5');
});

test(
  verifies(
    'R3:window-known',
    'the models file says first what a model reads, then its server, then its family; sessions are told by every name',
  ),
  () => {
    const describe = (_upstream: string, id: string) =>
      id === 'served' ? { id, contextTokens: 32_768, displayName: 'Served' } : undefined;
    const models = createCatalog({
      ...{ upstreams: { offline, configured: [OPENAI, ANTHROPIC] }, random: () => 0 },
      listed: { of: (name) => (name === 'openai' ? ['served'] : []), refresh: async () => undefined, describe },
      file: {
        ...NO_MODELS_FILE,
        models: {
          'mine*': { upstream: 'openai', context_window: 16_000, vocabulary: 'codelab' },
          big: { upstream: 'anthropic', model: 'claude-sonnet-4-5', context_tokens: 1_000_000, vocabulary: 'auto', display_name: 'Big' },
        },
        aliases: { quick: 'big' },
      },
    });
    const windowOf = (name: string) => models.windowOf(models.resolve(name)[0]).contextTokens;
    expect(['mine-7b', 'quick', 'served', 'gpt-4o', 'openai/whatever'].map(windowOf)).toEqual([
      16_000, 1_000_000, 32_768, 128_000, 128_000,
    ]);
    const facts = new Map(models.facts().map((fact) => [fact.name, fact]));
    expect(facts.get('quick')).toEqual({
      name: 'quick',
      model: 'claude-sonnet-4-5',
      contextWindow: 1_000_000,
      maxOutputTokens: 64_000,
      displayName: 'Big',
    });
    expect(facts.get('mine*')).toEqual({ name: 'mine*', contextWindow: 16_000, vocabulary: 'codelab' });
    expect([facts.get('')?.model, facts.get('served')?.contextWindow]).toEqual(['gpt-5.4', 32_768]);
  },
);
