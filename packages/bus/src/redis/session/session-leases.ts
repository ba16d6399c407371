import type { LeaseFence, SessionLeases } from '../../session-store.js';
import { BusError } from '../../bus-error.js';
import type { Sid } from '../../session-ref.js';
import { decodeCalls } from './decode-calls.js';
import { toFields } from '../connection/decode-fields.js';
import { decodeInbox } from './decode-inbox.js';
import { toMetas } from './decode-meta.js';
import { LEASE_MS } from '../limits.js';
import type { Command } from '../connection/redis-commands.js';
import type { SessionScripts } from './session-scripts.js';

/** Who advances a session (R1). */
export function sessionLeases(scripts: SessionScripts): SessionLeases {
  const { commands, keys } = scripts;
  return {
    takeLease: async (sid, worker) => {
      const due = keys.due(sid);
      const [score, reply] = await commands.run('take-lease', [
        ['zscore', due, sid],
        scripts.command('takeLease', sid, [worker, LEASE_MS]),
      ]);
      const [code, fence, metaFields, callFields, inbox] = reply as [number, number, unknown, unknown, unknown];
      if (code === -1 && score !== null) {
        // The session expired or was removed: it has no work any more.
        await commands.run('take-lease', [['parkSession', due, sid, score as string, '']]);
      }
      if (code !== 1) return undefined;
      const [meta] = await scripts.blobs.withTools(toMetas([metaFields]));
      if (meta === undefined) throw new BusError(`take-lease: ${sid} has no meta`);
      const calls = await scripts.strings.restoreCalls(decodeCalls(toFields(callFields)));
      return { leaseFence: fence as LeaseFence, meta, calls, inbox: decodeInbox(inbox) };
    },
    renewLeases: async (leases) => {
      if (leases.length === 0) return [];
      // A held session is not due while its holder lives, and due the moment its lease ends.
      const due = ({ sid }: { readonly sid: Sid }, ...how: string[]): Command => [
        'zadd',
        keys.due(sid),
        ...how,
        commands.score() + LEASE_MS,
        sid,
      ];
      const replies = await commands.runEach(
        'renew-leases',
        leases.flatMap((lease): Command[] => [
          ['renewLease', keys.session(lease.sid).meta, commands.lifePlace, lease.leaseFence, LEASE_MS],
          due(lease, 'XX', 'CH'),
        ]),
      );
      const isLost = (index: number): boolean => replies[index * 2] === 0;
      const forgotten = leases.filter((_, index) => !isLost(index) && replies[index * 2 + 1] === 0); // by a store that was set back
      if (forgotten.length > 0)
        await commands.runEach(
          'renew-leases',
          forgotten.map((lease) => due(lease)),
        );
      return leases.filter((_, index) => isLost(index)).map(({ sid }) => sid);
    },
    releaseLease: async (sid, leaseFence, { wakeAtMs, seen }) => {
      const due = keys.due(sid);
      const [score, released] = await commands.run('release-lease', [
        ['zscore', due, sid],
        ['releaseLease', keys.session(sid).meta, leaseFence, seen?.seq ?? 0, seen?.inbox ?? 0],
      ]);
      if (released !== 1) return released === 0 ? 'busy' : 'lost';
      await commands.run('release-lease', [['parkSession', due, sid, (score as string | null) ?? '', wakeAtMs ?? '']]);
      return 'released';
    },
  };
}
