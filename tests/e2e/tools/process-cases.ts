import { expect } from 'vitest';
import type { ToolCase } from './tool-case.js';

/** The tools that run programs, in this order: a process that one case starts is seen by the next. */
export const PROCESS_CASES: readonly ToolCase[] = [
  {
    name: 'run_command runs in the workspace',
    tool: 'run_command',
    args: { command: 'cat README.md; echo oops >&2; exit 3', cwd: '.' },
    result: {
      exit_code: 3,
      stdout: '# Title\n\nwords\n',
      stderr: 'oops\n',
      timed_out: false,
      truncated: false,
      duration_ms: expect.any(Number),
    },
  },
  {
    name: 'run_command runs in a directory of it',
    tool: 'run_command',
    args: { command: 'ls', cwd: 'src/util' },
    result: { exit_code: 0, stdout: 'text.js\ntext.test.js\n' },
  },
  {
    name: 'run_command changes files',
    tool: 'run_command',
    args: { command: 'echo made > made.txt' },
    result: { exit_code: 0 },
    after: { 'made.txt': 'made\n' },
  },
  { name: 'run_command has no input', tool: 'run_command', args: { command: 'cat' }, result: { exit_code: 0, stdout: '' } },
  {
    name: 'run_command stops what takes too long',
    tool: 'run_command',
    args: { command: 'echo begun; sleep 300', timeout_ms: 500 },
    result: { timed_out: true, stdout: 'begun\n' },
  },
  {
    name: 'run_command keeps head and tail',
    tool: 'run_command',
    args: { command: 'echo first; head -c 700000 /dev/zero | tr "\\0" x; echo; echo last' },
    result: { exit_code: 0, truncated: true, stdout: expect.stringMatching(/^first\n[^]*\nlast\n$/) },
  },
  { name: 'run_command stays inside', tool: 'run_command', args: { command: 'ls', cwd: '..' }, error: 'PATH_OUTSIDE_WORKSPACE' },
  {
    name: 'run_command names a directory that is not there',
    tool: 'run_command',
    args: { command: 'ls', cwd: 'nowhere' },
    error: 'FILE_NOT_FOUND',
    words: ['nowhere'],
  },
  {
    name: 'run_command wants at most ten minutes',
    tool: 'run_command',
    args: { command: 'ls', timeout_ms: 600_001 },
    error: 'INVALID_ARGUMENTS',
    words: ['timeout_ms', '600000'],
  },
  {
    name: 'run_persistent starts a process',
    tool: 'run_persistent',
    args: { command: 'echo up; sleep 300', process_id: 'dev_server' },
    result: { process_id: 'dev_server', status: 'running', pid: expect.any(Number) },
  },
  {
    name: 'run_persistent starts no second one of that name',
    tool: 'run_persistent',
    args: { command: 'sleep 300', process_id: 'dev_server' },
    error: 'CONFLICT',
    words: ['dev_server'],
  },
  {
    name: 'run_persistent shows how it stands',
    tool: 'run_persistent',
    args: { action: 'status', process_id: 'dev_server' },
    result: { status: 'running', output: expect.stringMatching(/^(up\n)?$/), offset: 0 },
  },
  {
    name: 'run_persistent lists',
    tool: 'run_persistent',
    args: { action: 'list' },
    result: { processes: [expect.objectContaining({ process_id: 'dev_server', status: 'running' })] },
  },
  {
    name: 'kill_process ends it',
    tool: 'kill_process',
    args: { process_id: 'dev_server' },
    result: { success: true, process_id: 'dev_server', status: 'killed' },
  },
  {
    name: 'kill_process knows only its own',
    tool: 'kill_process',
    args: { process_id: 'nobody' },
    error: 'INVALID_ARGUMENTS',
    words: ['nobody'],
  },
];
