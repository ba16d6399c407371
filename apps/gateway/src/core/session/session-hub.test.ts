import { expect, test } from 'vitest';
import { sessionRef, type AsideListener, type ChildSessions, type SessionMeta } from '@codelab/bus';
import { verifies } from '@codelab/testkit';
import { OutputMasks } from '../handlers/output-masks.js';
import { GatewayStats } from '../stats.js';
import { SessionHub } from './session-hub.js';

const ref = sessionRef({ tenant: 't', sub: 'u' }, 's');
const executedBy = (executor: string) => ({ ref, executor }) as SessionMeta;

test(verifies('R4:executor-unheard', 'who joins a session takes nobody for its executor who was replaced while it joined'), async () => {
  const listeners: AsideListener[] = [];
  const streams = { listen: async (_: unknown, listener: AsideListener) => void listeners.push(listener), unlisten: () => undefined };
  const children = { of: async () => [[]] } as unknown as ChildSessions;
  const hub = new SessionHub({ signal: async () => undefined }, streams, new GatewayStats(), children, new OutputMasks(), 5_000);
  const open = async (joining: Promise<SessionMeta>) => hub.open((await hub.find(ref, joining))!);

  const room = await open(Promise.resolve(executedBy('ide')));
  let join: (meta: SessionMeta) => void = () => undefined;
  const opening = open(new Promise((resolve) => (join = resolve)));
  listeners[0]!.receive({ kind: 'signal', signal: { type: 'executor_changed', executor: 'laptop' } });
  join(executedBy('ide'));
  expect(await opening).toBe(room);
  expect(room.executor).toBe('laptop');
  await open(Promise.resolve(executedBy('desk')));
  expect(room.executor).toBe('desk');
});
