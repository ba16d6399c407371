import { expect, test } from 'vitest';
import { EMPTY_VIEW, reduceSession, type SessionView } from '@codelab/client/view';
import { JsonText, type ServerFrame, type ServerFrameOf } from '@codelab/protocol';
import { verifies } from '@codelab/testkit';
import { plainHighlighter } from '../markdown/highlight-code.js';
import { paintLine } from '../text/paint-line.js';
import type { Line } from '../text/span.js';
import { renderCallDetails } from './call-details.js';
import { Transcript } from './transcript.js';

const LOOK = { width: 60, highlight: plainHighlighter, marks: true, nowMs: 0 };
const show = (lines: readonly Line[]): string[] => lines.map((line) => paintLine(line).trimEnd());
const hear = (view: SessionView, ...frames: readonly ServerFrame[]): SessionView =>
  frames.reduce((before, frame) => reduceSession(before, { kind: 'frame', frame, atMs: 0 }), view);
const call = (callId: string, toolName: string, args: object, more: Partial<ServerFrameOf<'tool_call'>> = {}): ServerFrame => ({
  ...{ type: 'tool_call', call_id: callId, tool_name: toolName, args: new JsonText(JSON.stringify(args)), requires_approval: false },
  ...{ args_sha256: '', fence: 1, deadline_ms: 60_000, idempotency: 'safe', state: 'ready', ...more },
});
const task = (callId: string, agent: string, description: string): ServerFrame =>
  call(callId, 'task', { description, prompt: 'x', agent }, { runs_at: 'server' });
const ofTask = (callId: string, taskCallId: string, toolName: string, args: object, more = {}): ServerFrame =>
  call(callId, toolName, args, { origin: 'task', task_call_id: taskCallId, ...more });
const status = (callId: string): ServerFrame => ({ type: 'tool_status', call_id: callId, status: 'done' });

test(verifies('H3:tasks-live', 'agents that work side by side are shown with what they do now; what they ask has a row of its own'), () => {
  const running = hear(
    EMPTY_VIEW,
    task('t1', 'ask', 'find the port'),
    task('t2', 'coder', 'rename it'),
    ofTask('a', 't1', 'read_file', { path: 'a.ts' }),
    ofTask('b', 't2', 'read_file', { path: 'b.ts' }),
    status('a'),
    ofTask('c', 't1', 'search_in_project', { query: 'PORT' }),
    ofTask('c', 't1', 'search_in_project', { query: 'PORT' }, { redelivered: true }),
    ofTask('d', 't2', 'write_file', { path: 'b.ts', content: 'x' }, { state: 'waiting_approval', requires_approval: true }),
  );
  expect(show(new Transcript().update(running, LOOK).live)).toEqual([
    '⠋ task         ask: find the port',
    '  └ 2 calls · search_in_project “PORT”',
    '⠋ task         coder: rename it',
    '  └ 2 calls · write_file b.ts',
    '⏸ write_file   b.ts  for a task · waits for you',
  ]);
  const transcript = new Transcript();
  const over = hear(running, status('c'), status('t1'));
  expect(show(transcript.update(over, LOOK).settled)[0]).toMatch(/^✓ task +ask: find the port +2 calls · 0 ms$/);
  expect(show(renderCallDetails(over.items, LOOK))).toEqual(
    expect.arrayContaining(['── search_in_project “PORT”', '   done · for a task']),
  );
});
