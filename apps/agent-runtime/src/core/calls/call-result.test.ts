import { expect, test } from 'vitest';
import { verifies } from '@codelab/testkit';
import { readCallResult, readToolResult } from './call-result.js';

const read = (toolName: string, result: string) => readCallResult(toolName, `{"type":"tool_result","call_id":"c","result":${result}}`);

test.each([
  ['read_file', '{"content":"x","encoding":"utf-8"}'],
  ['read_file', '{ "content":"x", "encoding":"utf-8", "more":[1e-7], "null":null }'],
  ['read_file', '{"content":"const config = {...}"}'],
  ['write_file', '{"success":true,"bytes_written":48}'],
  ['write_file', '{"success":true}'],
  ['list_files', '{"entries":[{"path":"a.txt"}]}'],
  ['run_command', '{"exit_code":1,"stderr":"no"}'],
  ['run_command', '{"exit_code":null,"signal":"SIGTERM","timed_out":true}'],
  ['git.diff', '{"diff":""}'],
  ['apply_patch', '{"success":true,"files_modified":["src/auth.js"]}'],
  ['apply_patch_review', '{"filtered_diff":"d","action":"apply","chunks_selected":[1,3,4],"chunks_total":5}'],
  ['prompt_user', '{"action":"approve"}'],
  ['run_command', '{"exit_code":0,"stdout":"","stderr":"","duration_ms":1,"timed_out":false,"truncated":false,"signal":null}'],
  ['open_tab', '{"anything":true}'],
])('a result of %s in its shape stays as it is: %s', (toolName, result) => {
  expect(read(toolName, result)).toMatchObject({ content: result, isError: false, outcome: 'ok' });
});

test.each([
  ['read_file', '{"text":"x"}', '"content" is missing'],
  ['read_file', '{"content":7,"encoding":"utf-8"}', '"content" must be string'],
  ['write_file', '{}', '"success" is missing'],
  ['run_command', '{"stdout":""}', '"exit_code" is missing'],
  ['write_file', '{"success":false,"bytes_written":0}', '"success" must be equal to constant'],
  ['read_file', '{"content":null}', '"content" must be string'],
  ['read_file', '[]', 'must be object'],
])(
  verifies('R5:result-shape', 'a result of %s in another shape is an error that says what is wrong and shows it: %s'),
  (toolName, result, fault) => {
    const answer = read(toolName, result);
    expect(answer).toMatchObject({ isError: true, outcome: 'OUTCOME_UNKNOWN', synthetic: false });
    expect(answer.content).toMatch(/^Error \[OUTCOME_UNKNOWN\]: /);
    expect(answer.content).toContain(fault);
    expect(answer.content).toContain(result);
  },
);

test('of a huge one only the beginning is shown', () => {
  expect(read('read_file', `{"x":"${'y'.repeat(100_000)}"}`).content.length).toBeLessThan(3_000);
});

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
