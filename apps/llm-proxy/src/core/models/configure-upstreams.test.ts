import { expect, test } from 'vitest';
import { configureUpstreams, type EnvironmentUpstreams } from './configure-upstreams.js';
import type { ModelsFile, UpstreamEntry } from './models-file.js';
import { NO_MODELS_FILE } from './parse-models-file.js';

const TIMEOUTS = { connectMs: 1, firstTokenMs: 2, idleMs: 3, totalMs: 4 };
const VARIABLES: Readonly<Record<string, string>> = { GROQ_API_KEY: 'gsk', EMPTY: '', OTHER_KEY: 'other' };

const configure = (environment: EnvironmentUpstreams, upstreams: ModelsFile['upstreams'] = {}) =>
  configureUpstreams({ environment, file: { ...NO_MODELS_FILE, upstreams }, timeouts: TIMEOUTS, readVariable: (name) => VARIABLES[name] });

const openai = { baseUrl: 'https://api.openai.com/v1', apiKey: 'k' };

test('the environment alone gives upstreams that are called by their type', () => {
  expect(configure({ openai, anthropic: { baseUrl: 'http://a' } })).toEqual([
    {
      name: 'openai',
      type: 'openai',
      ...openai,
      timeouts: TIMEOUTS,
      quirks: {},
      settings: { baseUrl: 'OPENAI_BASE_URL', apiKey: 'OPENAI_API_KEY' },
    },
    {
      ...{ name: 'anthropic', type: 'anthropic', baseUrl: 'http://a', timeouts: TIMEOUTS, quirks: {} },
      settings: { baseUrl: 'ANTHROPIC_BASE_URL', apiKey: 'ANTHROPIC_API_KEY' },
    },
  ]);
});

test('the file adds upstreams, with the key of the variable that it names', () => {
  const groq: UpstreamEntry = {
    ...{ type: 'openai', base_url: 'https://g/v1', api_key_env: 'GROQ_API_KEY' },
    ...{ timeouts: { idle_ms: 9 }, quirks: { no_stream_options: true } },
  };
  expect(configure({ openai }, { groq })[1]).toEqual({
    ...{ name: 'groq', type: 'openai', baseUrl: 'https://g/v1', apiKey: 'gsk', quirks: { tool_call_ids: 'any', no_stream_options: true } },
    timeouts: { ...TIMEOUTS, idleMs: 9 },
    settings: { baseUrl: 'upstreams.groq.base_url in the models file', apiKey: 'GROQ_API_KEY' },
  });
});

test.each<[what: string, entry: UpstreamEntry, expected: object]>([
  ['changes only what it names', { type: 'openai', quirks: { responses: false } }, { ...openai, quirks: { responses: false } }],
  ['may name another key', { type: 'openai', api_key_env: 'OTHER_KEY' }, { baseUrl: openai.baseUrl, apiKey: 'other' }],
  [
    'never gets the key of the environment for a server of its own',
    { type: 'openai', base_url: 'http://o/v1' },
    { baseUrl: 'http://o/v1', apiKey: undefined },
  ],
])('an entry with the name of an upstream of the environment %s', (_what, entry, expected) => {
  const [config] = configure({ openai }, { openai: entry });
  expect({ ...config, apiKey: config?.apiKey }).toMatchObject(expected);
});

test.each<[entry: UpstreamEntry, problem: RegExp]>([
  [{ type: 'openai', api_key_env: 'UNSET' }, /^upstreams\.openai\.api_key_env names UNSET, which is not set/],
  [{ type: 'openai', api_key_env: 'EMPTY' }, /names EMPTY, which is not set/],
  [{ type: 'anthropic' }, /^upstreams\.openai\.type must be openai/],
])('%j is told', (entry, problem) => {
  expect(() => configure({}, { openai: entry })).toThrow(problem);
});
