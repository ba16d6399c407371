import { expect, test } from 'vitest';
import { whereRuns } from './where-runs.js';

test.each([
  ['write_file', 'you', 'Runs in the workspace on this machine'],
  ['run_command', 'none', 'Runs when a client with the workspace connects'],
  ['mcp__github__create_issue', 'you', 'Runs on the MCP server github'],
  ['https://api.example.com/weather', 'other', 'Goes to api.example.com: the arguments leave this machine'],
  ['web.fetch', 'other', 'The servers fetch it from the web'],
  ['editor.rename', 'other', 'A tool of another program, runs in the workspace of the client that is connected'],
  ['constructor', 'you', 'A tool of another program, runs in the workspace on this machine'],
] as const)('%s with executor %s', (tool, executor, words) => expect(whereRuns(tool, executor)).toBe(words));
