import { expect, test } from 'vitest';
import { findTool } from '../tools/tools.js';
import { withoutAdditions } from './without-additions.js';

const narrowed = (tool: string, result: object): unknown => withoutAdditions(findTool(tool)!, result);

test('what version 2.1 adds to a result goes, at any depth; the rest stays, also what nobody knows', () => {
  expect(narrowed('read_file', { content: 'a', encoding: 'utf-8', sha256: 's', lines_total: 1, truncated: false, own: 1 })).toEqual({
    ...{ content: 'a', encoding: 'utf-8', own: 1 },
  });
  const entry = { path: 'a', type: 'file', size: 1 };
  expect(narrowed('list_files', { entries: [{ ...entry, mtime_ms: 5 }], truncated: false, total: 1 })).toEqual({
    ...{ entries: [entry], truncated: false },
  });
  expect(narrowed('run_command', { exit_code: null, cwd_after: 'src', log: 'x' })).toEqual({ exit_code: null });
  expect(narrowed('kill_process', { success: true, process_id: 'p', status: 'exited' })).toHaveProperty('process_id', 'p');
});
