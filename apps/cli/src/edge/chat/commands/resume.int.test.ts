import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { verifies } from '@codelab/testkit';
import { paintLine } from '../../../core/text/paint-line.js';
import type { PickerEntry } from '../../../core/picker/picker.js';
import type { Pager } from '../../../core/screen/pager.js';
import type { ChatPlace } from '../chat-place.js';
import { chatOf } from './__fixtures__/chat-of.js';
import { resumeSession } from './resume.js';
import { listOwnSessions } from './sessions.js';

const session = (session_id: string, workspace: string, history_items: number, title = '', user_messages?: number): object => {
  return {
    session_id,
    title,
    history_items,
    user_messages,
    status: 'idle',
    updated_at_ms: Date.now(),
    workspace: { id: workspace, name: 'w' },
  };
};
const SESSIONS = [
  session('here-1', 'w1', 14, 'Fix it', 4),
  session('here-2', 'w1', 2),
  session('empty', 'w1', 0),
  session('elsewhere', 'w2', 9),
];
const server = createServer((request, response) => {
  const named = SESSIONS.find((one) => request.url === `/api/v1/sessions/${(one as { session_id: string }).session_id}`);
  response.writeHead(200, { 'content-type': 'application/json', connection: 'close' });
  response.end(JSON.stringify(named ?? { sessions: SESSIONS }));
});
beforeAll(() => new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve)));
afterAll(() => new Promise((resolve) => server.close(resolve)));

function chatInFolder(): ReturnType<typeof chatOf> & {
  readonly seen: { entries?: readonly PickerEntry[]; joined?: string; page?: Pager };
} {
  const seen: { entries?: readonly PickerEntry[]; joined?: string; page?: Pager } = {};
  const http = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const place = { gateway: { http, token: 't' }, workspace: { identity: { id: 'w1' } } } as unknown as ChatPlace;
  const chat = chatOf({
    place,
    client: { sessionId: 'here-2' } as never,
    console: { size: { columns: 40, rows: 20 }, page: (page) => (seen.page = page) },
    offer: (entries) => (seen.entries = entries),
    switchTo: (sessionId, says) => ((seen.joined = `${sessionId}: ${says}`), Promise.resolve()),
  });
  return { ...chat, seen };
}

test(verifies('G2:user-messages', 'the conversations of this folder are offered, by title, age and what the user said'), async () => {
  const { chat, seen } = chatInFolder();
  await resumeSession(chat)('');
  expect(seen.entries).toEqual([
    { value: 'here-1', label: 'Fix it', detail: 'just now · 4 messages' },
    { value: 'here-2', label: 'here-2', detail: 'just now' },
  ]);
});

test('the one that is picked, or named by the beginning of its id, is gone on with; a typing error changes nothing', async () => {
  const { chat, answerTo, seen } = chatInFolder();
  await resumeSession(chat)('here-1');
  expect(seen.joined).toBe('here-1: Back in: Fix it');
  seen.joined = undefined;
  expect(await answerTo(resumeSession(chat))('here-2')).toBe('This is the conversation that you are in.');
  await expect(resumeSession(chat)('nosuch')).rejects.toThrow('There is no conversation "nosuch"');
  expect(seen.joined).toBeUndefined();
});

test('they are listed with their ids', async () => {
  const { chat, seen } = chatInFolder();
  await listOwnSessions(chat)('');
  expect(seen.page?.rows.map((row) => paintLine(row).trimEnd())).toEqual([
    'Fix it',
    '  just now · 4 messages · here-1',
    'here-2',
    '  just now · here-2',
  ]);
});
