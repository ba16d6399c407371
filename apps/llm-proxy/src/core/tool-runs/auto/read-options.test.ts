import { expect, test } from 'vitest';
import { verifies } from '@codelab/testkit';
import { asksForTools, readOptions } from './read-options.js';

const read = (body: unknown, headers = {}) => readOptions(body, headers);

test('without our fields a request is one to a model', () => {
  for (const body of [
    {},
    null,
    7,
    'x',
    [],
    { tool_execution: 'none', use_ide_tools: false, max_tool_rounds: 3 },
    { use_vscode_tools: null },
  ]) {
    expect([body, asksForTools(body)]).toEqual([body, false]);
  }
  expect(read({})).toEqual({ useIdeTools: false, execution: 'none', maxToolRounds: 10 });
  expect(read({ tool_execution: null, max_tool_rounds: null, session_id: null })).toEqual({
    useIdeTools: false,
    execution: 'none',
    maxToolRounds: 10,
  });
});

test('each of our fields is read, under either of its names', () => {
  expect(read({ use_vscode_tools: true, tool_execution: 'auto', max_tool_rounds: 0, session_id: 'a' })).toEqual({
    ...{ useIdeTools: true, execution: 'auto', maxToolRounds: 0, sessionId: 'a' },
  });
  expect(read({ use_ide_tools: true }, { 'x-codelab-session': 'b' })).toMatchObject({ useIdeTools: true, sessionId: 'b' });
  expect(read({ session_id: 'a' }, { 'x-codelab-session': 'b' })).toMatchObject({ sessionId: 'a' });
});

test.each([
  [{ max_tool_rounds: -1 }, 'max_tool_rounds'],
  [{ max_tool_rounds: 1.5 }, 'max_tool_rounds'],
  [{ max_tool_rounds: '3' }, 'max_tool_rounds'],
  [{ max_tool_rounds: 1e300 }, 'max_tool_rounds'],
  [{ tool_execution: 'AUTO' }, 'tool_execution'],
  [{ tool_execution: true }, 'tool_execution'],
  [{ tool_execution: '' }, 'tool_execution'],
  [{ use_ide_tools: 'yes' }, 'use_ide_tools'],
  [{ use_vscode_tools: 1 }, 'use_vscode_tools'],
])(verifies('L3:CP4', 'what one of our fields cannot be is refused by its name: %j'), (body, param) => {
  expect(asksForTools(body)).toBe(true);
  expect(() => read(body)).toThrow(expect.objectContaining({ kind: 'invalid_request', param }));
});

test.each([{ session_id: 'a b' }, { session_id: 7 }, { session_id: '' }])('%j names no session', (body) => {
  expect(() => read({ tool_execution: 'auto', ...body })).toThrow(
    expect.objectContaining({ kind: 'invalid_request', param: 'session_id' }),
  );
});
