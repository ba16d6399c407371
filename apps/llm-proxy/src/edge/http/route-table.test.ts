import { expect, test } from 'vitest';
import type { Route } from '../../core/serve/route.js';
import { canonicalPath, RouteTable } from './route-table.js';

const route = (method: Route['method'], path: string): Route => ({ method, path, scope: 'llm', handle: () => undefined });

const table = new RouteTable([
  route('GET', '/v1/models'),
  route('GET', '/v1/models/{id+}'),
  route('GET', '/v1/tools'),
  route('POST', '/v1/tools'),
  route('DELETE', '/v1/tools/{name}'),
]);

test.each([
  ['GET', '/v1/models', '/v1/models', {}],
  ['GET', '/v1/models/openai/gpt-5', '/v1/models/{id+}', { id: 'openai/gpt-5' }],
  ['GET', '/v1/models/openai%2Fgpt%205', '/v1/models/{id+}', { id: 'openai/gpt 5' }],
  ['GET', '/v1/models/100%', '/v1/models/{id+}', { id: '100%' }],
  ['POST', '/v1/tools', '/v1/tools', {}],
  ['DELETE', '/v1/tools/a.b', '/v1/tools/{name}', { name: 'a.b' }],
])('%s %s leads to %s', (method, path, expected, params) => {
  expect(table.find(method, path)).toMatchObject({ route: { path: expected, method }, params });
});

test.each([
  ['DELETE', '/v1/models', { allowed: ['GET'] }],
  ['HEAD', '/v1/tools', { allowed: ['GET', 'POST'] }],
  ['GET', '/v1/tools/a', { allowed: ['DELETE'] }],
  ['GET', '/v1/tools/a/b', undefined],
  ['GET', '/v1', undefined],
])('%s %s leads nowhere', (method, path, expected) => {
  expect(table.find(method, path)).toEqual(expected);
});

test.each([
  ['/v1/chat/completions', '/v1/chat/completions'],
  ['/chat/completions', '/v1/chat/completions'],
  ['/tools/', '/v1/tools'],
  ['/tool-calls', '/v1/tool-calls'],
  ['/v1/unknown', '/v1/unknown'],
  ['/health', undefined],
  ['/metrics', undefined],
  ['/', undefined],
  ['/toolsmith', undefined],
])('%s is %s', (path, expected) => {
  expect(canonicalPath(path)).toBe(expected);
});
