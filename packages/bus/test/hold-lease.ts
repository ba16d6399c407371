/**
 * A worker in a process of its own: takes the lease of one session, renews it, and says over IPC what it holds and what became of it.
 * Run by the tests with a Redis url, a sid, and the session's owner and name.
 */
import { connectBus } from '../src/redis/index.js';
import { sessionRef } from '../src/session-ref.js';

const [url = '', tenant = '', sub = '', sessionId = ''] = process.argv.slice(2);
const ref = sessionRef({ tenant, sub }, sessionId);
const bus = await connectBus({ url });
const lease = await bus.store.takeLease(ref.sid, `process-${String(process.pid)}`);
if (lease === undefined) throw new Error('the lease is taken');
const { leaseFence } = lease;
process.send?.({ leaseFence });
setInterval(() => {
  bus.store
    .renewLeases([{ sid: ref.sid, leaseFence }])
    .then(async (lost) => {
      if (lost.length === 0) return;
      const effects = {
        inboxUpTo: 1,
        state: '',
        frames: [{ head: { type: 'drain' } as const, text: '{"late":true}' }],
        history: [],
        calls: [],
      };
      process.send?.({ commit: await bus.store.commit(ref, { leaseFence, cancelSeen: '' }, effects) });
    })
    .catch(() => undefined);
}, 500);
