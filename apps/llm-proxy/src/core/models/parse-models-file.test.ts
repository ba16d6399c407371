import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { verifies } from '@codelab/testkit';
import { ModelsFileError, parseModelsFile } from './parse-models-file.js';

const ENVIRONMENT = { upstreams: ['openai'] };

function problems(text: string, known = ENVIRONMENT): readonly string[] {
  try {
    parseModelsFile(text, known);
  } catch (error) {
    if (error instanceof ModelsFileError) return error.problems;
    throw error;
  }
  return [];
}

test.each<[yaml: string, problem: string]>([
  ['models: {gpt-5: {upstream: openai, price: {input: cheap, output: 1}}}', 'models.gpt-5.price.input is a text: write a number.'],
  ['models: {gpt-5: {upstream: openai, price: {input: -1, output: 1}}}', 'models.gpt-5.price.input must be >= 0.'],
  ['models: {gpt-5: {upstream: openai, price: {input: 1}}}', 'models.gpt-5.price.output is missing: write a number.'],
  ['models: {gpt-5: {}}', 'models.gpt-5.upstream is missing: write a text.'],
  ['models: {gpt-5: }', 'models.gpt-5 is empty: write names with values below it.'],
  ['models: []', 'models is a list: write names with values below it.'],
  ['[]', 'The file is a list: write names with values below it.'],
  ['models: {m: {upstream: openai, context_tokens: 1.5}}', 'models.m.context_tokens is a number with a fraction: write a whole number.'],
  ['models: {m: {upstream: openai, thinking: {effort: huge}}}', 'models.m.thinking.effort must be one of low, medium, high.'],
  [
    'models: {m: {upstream: openai, quirks: {no_tool_choice: 1}}}',
    'models.m.quirks.no_tool_choice is a whole number: write true or false.',
  ],
  ['upstream: {}', 'upstream is not known: there is upstreams, models, aliases, routes, keys.'],
  ['upstreams: {x: {base_url: "http://x/v1"}}', 'upstreams.x.type is missing: write openai or anthropic.'],
  [
    'upstreams: {X y: {type: openai}}',
    'upstreams.X y has a name that can’t be: names of upstreams are of small letters, digits, - and _, at most 64.',
  ],
  ['upstreams: {x: {type: gemini}}', 'upstreams.x.type must be one of openai, anthropic.'],
  [
    'upstreams: {x: {type: openai, base_url: "ftp://x"}}',
    'upstreams.x.base_url can’t be used: write a URL that begins with http:// or https:// and holds no user, password or fragment.',
  ],
  ['upstreams: {x: {type: openai, timeouts: {idle_ms: 0}}}', 'upstreams.x.timeouts.idle_ms must be >= 1.'],
  ['routes: {r: {models: []}}', 'routes.r.models is empty: write at least one.'],
  ['routes: {r: {models: [{model: gpt-5, weight: -1}]}}', 'routes.r.models[0].weight must be >= 0.'],
  ['routes: {r: {models: [{model: gpt-5}], fallback: gpt-5}}', 'routes.r.fallback is a text: write a list.'],
  ['keys: {sub: {}}', 'keys.sub has a name that can’t be: write tenant/name, tenant/* or *.'],
  ['keys: {"*": {budget: {usd: 1}}}', 'keys.*.budget.per is missing: write day or month or total.'],
  ['keys: {"*": {requests_per_minute: 0}}', 'keys.*.requests_per_minute must be >= 1.'],
  ['models: {m: {upstream: opnai}}', 'models.m.upstream names an upstream that is not there: did you mean openai?'],
  ['models: {m: {upstream: zz}}', 'models.m.upstream names an upstream that is not there: add it to upstreams, or set its variables.'],
  ['models: {"m*": {upstream: openai, model: x}}', 'models.m*.model can’t be used: an entry that ends in * stands for many models.'],
  ['models: {"m*n": {upstream: openai}}', 'models.m*n has a name that can’t be: * stands at the end only.'],
  ['aliases: {a: b, b: gpt-5}', 'aliases.a names another alias: write the name of a model or a route.'],
  ['aliases: {gpt: claude-opus}', 'aliases.gpt names a model that is not there: add it to models.'],
  [
    'routes: {r: {models: [{model: s}]}, s: {models: [{model: gpt-5}]}}',
    'routes.r.models[0].model names a route or an alias: write the name of a model.',
  ],
  [
    'routes: {r: {models: [{model: gpt-5}], fallback: [claude-x]}}',
    'routes.r.fallback[0] names a model that is not there: add it to models.',
  ],
  ['models: {a: {upstream: openai}}\nroutes: {a: {models: [{model: a}]}}', 'routes.a has the name of a model: give it another one.'],
  ['models: {a: {upstream: openai}}\naliases: {a: gpt-5}', 'aliases.a has the name of a model or a route: give it another one.'],
  ['models: {a: {upstream: openai}}\nmodels: {}', 'Line 2 is no YAML (DUPLICATE_KEY).'],
  ['models: {', 'Line 1 is no YAML (BAD_INDENT).'],
])('%s', (yaml, problem) => {
  expect(problems(yaml)).toEqual([problem.replaceAll('’', "'")]);
});

test('every problem is told, not the first one only', () => {
  const text = 'upstreams: {x: {type: openai, base_url: nope, keep: 1}}\nmodels: {m: {upstream: x, price: {input: 1}}}\nextra: 1';
  expect(problems(text).map((problem) => problem.split(' ')[0])).toEqual([
    'extra',
    'upstreams.x.keep',
    'upstreams.x.base_url',
    'models.m.price.output',
  ]);
});

const SECRET = 'sk-very-secret-0123456789';
test.each([
  `upstreams: {x: {type: openai, api_key: ${SECRET}}}`,
  `upstreams: {x: {type: openai, api_key_env: ${SECRET}}}`,
  `upstreams: {x: {type: openai, base_url: "https://me:${SECRET}@x/v1"}}`,
  `upstreams: {x: {type: openai, headers: {authorization: ${SECRET}}}}`,
  `upstreams: {x: {type: [${SECRET}]}}`,
  `upstreams: {x: {type: openai, api_key_env: ${SECRET}`,
])(verifies('L1:models-file', 'a key in the models file is refused, with a hint, and not repeated: %#'), (yaml) => {
  const told = problems(yaml);
  expect(told).not.toEqual([]);
  expect(told.join()).not.toContain('secret');
});

test('where a key is meant to stand is said', () => {
  expect(problems('upstreams: {x: {type: openai, api_key: k}}')[0]).toMatch(
    /^upstreams\.x\.api_key is not known: keys never stand .* api_key_env\.$/,
  );
  expect(problems('upstreams: {x: {type: openai, api_key_env: sk-1}}')[0]).toMatch(
    /^upstreams\.x\.api_key_env can't be used: .*GROQ_API_KEY/,
  );
});

test('an empty file, or one of comments, says nothing', () => {
  for (const text of ['', '# nothing', '{}'])
    expect(parseModelsFile(text, ENVIRONMENT)).toEqual({ upstreams: {}, models: {}, aliases: {}, routes: {}, keys: {} });
});

test('what refers to the vendors’ names and to the environment’s upstreams is right', () => {
  const text =
    'aliases: {a: gpt-9, b: openai/x, c: offline-1, d: ollama/q}\nupstreams: {ollama: {type: openai}}\nroutes: {r: {models: [{model: gpt-9}], fallback: [offline]}}';
  expect(problems(text)).toEqual([]);
});

test('the example is right, without any variable set', async () => {
  const text = await readFile(new URL('../../../../../codelab.models.example.yaml', import.meta.url), 'utf8');
  const file = parseModelsFile(text, { upstreams: [] });
  expect(Object.keys(file.upstreams)).toEqual(['openai', 'anthropic', 'ollama']);
  expect(file.keys['default/ci']?.tools?.block).toEqual(['run_command']);
});
