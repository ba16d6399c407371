import { expect, test } from 'vitest';
import { verifies } from '@codelab/testkit';
import { readToolResult, standardResult } from './call-result.js';
import { statusOfResult } from './status-of-result.js';

const status = (toolName: string, fields: string) =>
  statusOfResult(toolName, readToolResult(`{"type":"tool_result","call_id":"c",${fields}}`));
const failed = (message: string) => ({ status: 'errored', error: { code: 'TOOL_FAILED', message } });

test.each([
  ['a result', 'web.fetch', '"result":{"text":"x"}', { status: 'done' }],
  ['an error', 'web.fetch', '"error":{"code":"TOOL_FAILED","message":"no such page"}', failed('no such page')],
  ['a long error', 'web.fetch', `"error":{"code":"TOOL_FAILED","message":"${'x'.repeat(9_000)}"}`, failed(`${'x'.repeat(498)} …`)],
  ['a result of MCP', 'mcp__a__b', '"result":{"content":[{"type":"text","text":"says \\"isError\\""}]}', { status: 'done' }],
  ['a failure of MCP', 'mcp__a__b', '"result":{ "isError" : true, "content":[{"type":"text","text":"no"}] }', failed('no')],
  ['a failure of MCP without words', 'mcp__a__b', '"result":{"isError":true}', failed('')],
  ['what only looks like one', 'run_tests', '"result":{"isError":true,"content":[]}', { status: 'done' }],
])(verifies('L3:call-reasons', 'what is said of a call that ended with %s'), (_, toolName, fields, expected) => {
  expect(status(toolName, fields)).toEqual(expected);
});

test('what was cancelled did not fail', () => {
  expect(statusOfResult('web.fetch', standardResult('CANCELLED'))).toEqual({ status: 'canceled' });
});
