import { afterAll, beforeAll, expect, test } from 'vitest';
import { eventually, verifies, toTestEnvelope } from '@codelab/testkit';
import { newId } from '../../new-id.js';
import { sessionRef } from '../../session-ref.js';
import { startSentinel, type SentinelSystem } from '../../../test/start-sentinel.js';
import { connectBus, type Bus } from '../create-bus.js';

let system: SentinelSystem | undefined;
let bus: Bus;
beforeAll(async () => {
  system = await startSentinel();
  bus = await connectBus({ url: system.url, signal: AbortSignal.timeout(20_000) });
});
afterAll(async () => {
  await bus?.close();
  await system?.close();
});

test(
  verifies('G3:epoch-failover', 'a replica that takes over may have lost writes: the holder is fenced, and the log begins a new epoch'),
  async () => {
    if (system === undefined) throw new Error('the servers start in beforeAll');
    await system.settled();
    const ref = sessionRef({ tenant: 'acme', sub: 'ann' }, 'main');
    const meta = await bus.store.join(ref, { clientId: 'ide', tools: '[]', protocolVersion: '2.0' }, { create: true });
    const message = { messageId: 'm', turnId: newId('turn'), frame: '{"content":"x"}', summary: '{}', whenBusy: 'enqueue' } as const;
    await bus.store.deliverMessage(ref, message);
    const lease = await bus.store.takeLease(ref.sid, 'worker');
    const leaseFence = lease!.leaseFence;
    const step = { inboxUpTo: 1, state: '', frames: [toTestEnvelope('{}')], history: [], calls: [] };
    expect(await bus.store.commit(ref, { leaseFence, cancelSeen: '' }, step)).toEqual({ seq: 1 });
    await system.settled();

    await system.killMaster();
    const refusedOnce = await eventually('the bus notices', async () => (bus.status() === 'away' ? true : undefined));
    expect(refusedOnce).toBe(true);
    await eventually('the new master serves', () => bus.status() === 'ready');
    expect(await bus.store.commit(ref, { leaseFence, cancelSeen: '' }, step)).toBe('fenced');
    const successor = await bus.store.takeLease(ref.sid, 'successor');
    expect(successor?.meta).toMatchObject({ seq: 1 });
    expect(successor?.meta.epoch).not.toBe(meta?.epoch);
    expect(await bus.store.replay(ref, { epoch: meta?.epoch ?? '', seq: 1 })).toMatchObject({ kind: 'gone' });
  },
);
