import type { DialectName } from '@codelab/llm';
import { expect, test } from 'vitest';
import { appendTools, declaredTools } from './declared-tools.js';
import type { ToolInfo } from './tool-info.js';

const info: ToolInfo = { name: 'git.diff', description: 'd', inputSchema: { type: 'object' }, tags: ['builtin'] };
const own: Readonly<Record<DialectName, object>> = {
  chat: { type: 'function', function: { name: 'own', description: '', parameters: { type: 'object', x: 1 } } },
  messages: { name: 'own', input_schema: { type: 'object', x: 1 } },
  responses: { type: 'function', name: 'own', parameters: { type: 'object', x: 1 } },
};
const added: Readonly<Record<DialectName, object>> = {
  chat: { type: 'function', function: { name: 'git.diff', description: 'd', parameters: { type: 'object' } } },
  messages: { name: 'git.diff', description: 'd', input_schema: { type: 'object' } },
  responses: { type: 'function', name: 'git.diff', description: 'd', parameters: { type: 'object' }, strict: false },
};

test.each(['chat', 'messages', 'responses'] as const)('%s: tools are read, and added behind those of the request', (dialect) => {
  const body = { model: 'm', tools: [own[dialect]] };
  expect(declaredTools(body, dialect)).toEqual([{ name: 'own', parameters: { type: 'object', x: 1 } }]);
  expect(JSON.parse(appendTools(JSON.stringify(body), dialect, [info]))).toEqual({ ...body, tools: [own[dialect], added[dialect]] });
  for (const tools of [undefined, null, []]) {
    expect(JSON.parse(appendTools(JSON.stringify({ model: 'm', tools }), dialect, [info]))).toEqual({
      model: 'm',
      tools: [added[dialect]],
    });
  }
});

test('what the request says besides is carried byte for byte', () => {
  const raw = '{ "n": 12345678901234567890, "tools" : [ {"a": 1e-7} , "odd" ], "z": "\\u0041" }';
  const text = appendTools(raw, 'messages', [info]);
  expect(text).toContain('12345678901234567890');
  expect(text).toContain('[{"a": 1e-7},"odd",{"name":"git.diff"');
  expect(text).toContain('"\\u0041"');
  expect(appendTools(raw, 'messages', [])).toBe(raw);
});

test('what is no tool and no list of tools is left to whoever judges the request', () => {
  expect(declaredTools({ tools: [null, 7, 'x', {}, { function: null }, { name: 7 }] }, 'chat')).toEqual([]);
  expect(declaredTools({ tools: 'x' }, 'chat')).toEqual([]);
  expect(appendTools('{"tools": "x"}', 'chat', [info])).toBe('{"tools": "x"}');
});
