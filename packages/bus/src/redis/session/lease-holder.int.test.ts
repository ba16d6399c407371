import { spawn, type ChildProcess } from 'node:child_process';
import { afterAll, expect, test } from 'vitest';
import { eventually, verifies } from '@codelab/testkit';
import type { TestSession } from '../../../test/test-session.js';
import { useBus } from '../../../test/bus-fixture.js';

const fixture = useBus();
const root = new URL('../../../../../', import.meta.url);
const children: ChildProcess[] = [];
afterAll(() => children.forEach((child) => child.kill('SIGKILL')));

interface Said {
  readonly leaseFence?: number;
  readonly commit?: unknown;
}

/** A worker process that holds the lease of a session. */
const hold = async ({ ref }: TestSession) => {
  const program = ['--conditions=codelab-source', '--import', './scripts/register-swc.mjs', 'packages/bus/test/hold-lease.ts'];
  const child = spawn(process.execPath, [...program, fixture.redis.url, ref.owner.tenant, ref.owner.sub, ref.sessionId], {
    ...{ cwd: root, env: { ...process.env, NODE_OPTIONS: '' } },
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });
  children.push(child);
  const said: Said[] = [];
  child.on('message', (message: Said) => said.push(message));
  const { leaseFence } = await eventually('the lease', () => said[0]);
  return { child, leaseFence, said };
};

test(
  verifies(
    'R1:lease-killed',
    'the session of a worker that was killed or stopped goes to a successor; what the old one says when it wakes is refused',
  ),
  async () => {
    const { store, wakes } = fixture.bus;
    const [killed, stopped] = [await fixture.session(), await fixture.session()];
    for (const session of [killed, stopped]) await session.say('go');
    const holders = await Promise.all([killed, stopped].map(hold));
    for (const session of [killed, stopped]) expect(await store.takeLease(session.ref.sid, 'too early')).toBeUndefined();
    holders[0]?.child.kill('SIGKILL');
    holders[1]?.child.kill('SIGSTOP');

    const waiting = new Map([killed, stopped].map((session) => [session.ref.sid, session]));
    await eventually('the sweep finds both', async () => {
      for (const sid of await wakes.due(100)) {
        const lease = await store.takeLease(sid, 'successor');
        if (lease === undefined) continue;
        expect(lease).toMatchObject({ inbox: [{ id: 1, kind: 'message' }] });
        const session = waiting.get(sid);
        waiting.delete(sid);
        if (session !== undefined) session.lease = lease;
      }
      return waiting.size === 0;
    });
    const before = await stopped.dump();
    holders[1]?.child.kill('SIGCONT');
    const late = await eventually('the old holder speaks', () => holders[1]?.said.find(({ commit }) => commit !== undefined));
    expect(late.commit).toBe('fenced');
    expect(await stopped.dump()).toEqual(before);
    for (const session of [killed, stopped]) expect(await session.commit({ inboxUpTo: 1, frames: ['{}'] })).toEqual({ seq: 1 });
  },
);
