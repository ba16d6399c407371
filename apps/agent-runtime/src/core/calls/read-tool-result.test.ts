import { expect, test } from '@jest/globals';
import { readToolResult } from './read-tool-result.js';

test.each([
  ['{"type":"tool_result","result":{"b":1e-7, "a":[]}}', '{"b":1e-7, "a":[]}', 'ok'],
  ['{"result":{"error":{"code":"X"}}}', '{"error":{"code":"X"}}', 'ok'],
  ['{"result":{}, "error":null}', '{}', 'ok'],
  ['{"error":{"code":"FILE_NOT_FOUND","message":"no \\"a\\""}}', 'Error [FILE_NOT_FOUND]: no "a"', 'FILE_NOT_FOUND'],
  ['{"result":null,"error":{"code":"X","message":""}}', 'Error [X]: ', 'X'],
  ['{"error":{}}', 'Error [OUTCOME_UNKNOWN]: ', 'OUTCOME_UNKNOWN'],
  ['{"result":null}', 'null', 'ok'],
  ['{"result":"done","error":null}', '"done"', 'ok'],
  ['{"result":[1.0, 2]}', '[1.0, 2]', 'ok'],
  ['{}', '{}', 'ok'],
])('%s reads as %s', (frame, content, outcome) => {
  expect(readToolResult(frame)).toMatchObject({ content, outcome, isError: outcome !== 'ok', synthetic: false });
});
