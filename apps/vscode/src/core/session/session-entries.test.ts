import { expect, test } from 'vitest';
import { sayAge, sessionsOf, toEntries } from './session-entries.js';

test('the conversations of this folder are listed, what waits for somebody first said', () => {
  const now = 10 * 86_400_000;
  const here = { id: 'ws_1', name: 'shop' };
  const sessions = [
    { session_id: 's1', title: 'Fix it', status: 'running', workspace: here, updated_at_ms: now - 120_000 },
    { session_id: 's2', status: 'idle', workspace: here, updated_at_ms: now - 3 * 3_600_000 },
    { session_id: 's3', status: 'idle', workspace: { id: 'ws_2' } },
    { nonsense: true },
    null,
  ];
  const waiting = sessionsOf([{ session_id: 's1' }, { session_id: 's3' }, null]);
  expect(toEntries(sessions, { nowMs: now, workspaceId: 'ws_1', waiting })).toMatchObject([
    { id: 's1', label: 'Fix it', state: 'waiting', description: '2 min · waits for you', tooltip: 'Fix it\nshop\ns1' },
    { id: 's2', label: 'Without a title', state: 'idle', description: '3 h' },
  ]);
  expect([0, 59_000, 86_400_000, 3 * 86_400_000].map(sayAge)).toEqual(['now', 'now', 'yesterday', '3 days']);
});
